namespace ScaleOut.Tests.Analysis.Findings;

/// <summary>
/// What a machine does to measured rates: log-normal noise of each run's own, and a drift that goes on through the whole experiment, so
/// that runs that follow each other share it. With drift half of a rate's variance is the one, half the other; without it all of it is each
/// run's own, which is the worst case for intervals that know nothing of pairs.
/// </summary>
internal sealed class Noise
{
    private readonly Random _random;
    private readonly double _own;
    private readonly double _driftStep;
    private double _drift;

    /// <param name="random">Gives the same noise for the same seed.</param>
    /// <param name="variation">Coefficient of variation of a variant's rates over five repeats.</param>
    /// <param name="variants">Runs of one round; 0 for no drift.</param>
    public Noise(Random random, double variation, int variants)
    {
        _random = random;
        _own = variants == 0 ? variation : variation / Math.Sqrt(2);
        // Over five rounds a walk with this step has the same variance as the runs' own noise.
        _driftStep = variants == 0 ? 0 : _own / Math.Sqrt(variants);
    }

    /// <summary>Of a level within a range, small ones as likely as large ones by their logarithm.</summary>
    public static Noise Within(NoiseRange range, Random random, int variants) =>
        new(random, range.Least * Math.Pow(range.Most / range.Least, random.NextDouble()), variants);

    /// <summary>What the next run measures of a true value.</summary>
    public double Measure(double truth)
    {
        _drift += _driftStep * Normal();
        return truth * Math.Exp(_drift + (_own * Normal()));
    }

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
