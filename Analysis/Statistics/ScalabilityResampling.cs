using MathNet.Numerics.Distributions;
using MathNet.Numerics.LinearAlgebra;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// The parametric bootstrap behind a fit's intervals. It adds noise to the measured mean of each level and fits the law again, at least 200
/// times. It starts from the measured means and not from the law's, because a constraint may hold the law away from them. The noise is a
/// share of the rate: that of the repeats, pooled over the levels, or the levels' distance from the law where that is larger or there are
/// no repeats. It is scaled from the normal distribution to Student's t, because few measurements estimate it imprecisely.
/// </summary>
internal static class ScalabilityResampling
{
    private const int Parameters = 3;
    private const double UpperTail = (1 + RatioEffect.DefaultConfidence) / 2;

    /// <summary>Smallest drawn rate as a share of the measured one, because a rate is positive.</summary>
    private const double MinShare = 0.01;

    /// <summary>Groups the used points by number of workers. A level's distance from the law counts as a share of its rate.</summary>
    public static ScalabilityLevel[] LevelsOf(IEnumerable<ScalabilityPoint> points) =>
    [
        .. points.Where(point => point.LeftOut is null).GroupBy(point => point.Workers).OrderBy(group => group.Key)
            .Select(group => LevelOf(group.Key, [.. group.Select(point => point.Rate)])),
    ];

    /// <summary>The laws of all resamples. Equal points give equal laws.</summary>
    public static IReadOnlyList<ScalabilityLaw> Draw(ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points)
    {
        var levels = LevelsOf(points);
        var (deviation, freedom) = NoiseOf(levels, law, points);
        var table = NoiseTable.From(levels.Length);
        var raised = StudentQuantile.At(freedom, RatioEffect.DefaultConfidence) / Normal.InvCDF(0, 1, UpperTail) * deviation;
        var drawn = new ScalabilityLevel[levels.Length];
        var resamples = new List<ScalabilityLaw>(2 * table.Length);
        foreach (var noise in table)
        {
            resamples.Add(Noisy(levels, law, noise, raised, drawn));
            resamples.Add(Noisy(levels, law, noise, -raised, drawn));
        }

        return resamples;
    }

    /// <summary>Width of an interval of the given confidence / width of the 95% interval.</summary>
    public static double ReachOf(ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points, double confidence)
    {
        var freedom = NoiseOf(LevelsOf(points), law, points).Freedom;
        return StudentQuantile.At(freedom, confidence) / StudentQuantile.At(freedom, RatioEffect.DefaultConfidence);
    }

    private static ScalabilityLevel LevelOf(int workers, List<double> rates)
    {
        var mean = rates.Average();
        return new ScalabilityLevel(workers, mean, rates.Count / (mean * mean), rates.Count);
    }

    private static ScalabilityLaw Noisy(
        ScalabilityLevel[] levels, ScalabilityLaw law, double[] noise, double deviation, ScalabilityLevel[] drawn)
    {
        for (var i = 0; i < levels.Length; i++)
        {
            var change = deviation / Math.Sqrt(levels[i].Count) * noise[i] * law.RateAt(levels[i].Workers);
            drawn[i] = levels[i] with { Rate = Math.Max(MinShare * levels[i].Rate, levels[i].Rate + change) };
        }

        return ScalabilitySolver.Solve(drawn, ScalabilitySolver.Quick);
    }

    /// <summary>Standard deviation of one measured rate as a share of the rate, with its degrees of freedom.</summary>
    private static (double Deviation, double Freedom) NoiseOf(
        ScalabilityLevel[] levels, ScalabilityLaw law, IReadOnlyList<ScalabilityPoint> points)
    {
        const double MinVariance = LogSample.MinDeviation * LogSample.MinDeviation;
        double freedom = levels.Length - Parameters;
        var missed = ScalabilitySolver.ErrorOf(levels, law) / freedom;
        var repeats = points.Where(point => point.LeftOut is null).GroupBy(point => point.Workers)
            .Select(group => LogSample.From([.. group.Select(point => point.Rate)])).Where(sample => sample.Count > 1).ToList();
        if (repeats.Count == 0)
            return (Math.Sqrt(Math.Max(missed, MinVariance)), freedom);

        var freedomOfRepeats = repeats.Sum(sample => sample.Count - 1);
        var ofRepeats = repeats.Sum(sample => sample.Variance * (sample.Count - 1)) / freedomOfRepeats;
        // The larger one sets the noise, with its own degrees of freedom.
        return missed > ofRepeats ? (Math.Sqrt(missed), freedom) : (Math.Sqrt(ofRepeats), freedomOfRepeats);
    }
}

/// <summary>
/// Standard normal numbers for a bootstrap, the same each time. They are made to have exactly the variance 1 and no correlation between
/// their columns, so that few of them do not make intervals too wide or too narrow by chance; each row is used with both signs, so that
/// their mean is 0 as well.
/// </summary>
internal static class NoiseTable
{
    private const int Seed = 20_261_121;
    private const int MinRows = 100;
    private const int RowsPerColumn = 3;

    private static readonly ConcurrentDictionary<int, double[][]> Tables = new();

    /// <summary>Rows with this many numbers each.</summary>
    public static double[][] From(int columns) => Tables.GetOrAdd(columns, Create);

    private static double[][] Create(int columns)
    {
        var rows = Math.Max(MinRows, RowsPerColumn * columns);
        var numbers = Matrix<double>.Build.Random(rows, columns, new Normal(0, 1, new Random(Seed)));
        var covariance = numbers.TransposeThisAndMultiply(numbers) / rows;
        var whitening = covariance.Cholesky().Factor.Transpose().Inverse();
        return (numbers * whitening).ToRowArrays();
    }
}
