using System.Collections.Concurrent;
using ScaleOut.Analysis.Experiments.Planning;

namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Noise of measured rates: each run has its own, and runs that follow each other have some in common.</summary>
internal sealed class Noise
{
    /// <summary>Factor by which one variant is noisier than the others.</summary>
    private const double UnequalFactor = 5;

    /// <summary>Share by which a run after the second variant is slower.</summary>
    private const double CarriedOver = 0.05;

    /// <summary>Number of runs before the experiment, so that a correlated machine does not start at its mean.</summary>
    private const int RunsBefore = 50;

    /// <summary>Number of different orders of experiments with as many variants and repeats.</summary>
    private const int DifferentOrders = 100;

    /// <summary>Orders are kept, because making one takes as long as judging an experiment.</summary>
    private static readonly ConcurrentDictionary<(int Variants, int Repeats, int Seed), IReadOnlyList<int>> Orders = [];

    private readonly Random _random;
    private readonly NoiseKind _kind;
    private readonly double _variation;
    private readonly double _own;
    private readonly double _driftStep;
    private readonly double _correlation;
    private double _shared;
    private double _outlier;
    private double _ofVariant = 1;
    private int? _before;
    private double _carried;

    /// <param name="random">Gives the same noise for the same seed.</param>
    /// <param name="variation">Coefficient of variation of a variant's rates over five repeats.</param>
    /// <param name="variants">Number of runs of one round; 0 for no drift.</param>
    public Noise(Random random, double variation, int variants)
        : this(random, variation, variants, variants == 0 ? NoiseKind.Independent : NoiseKind.Drift)
    {
    }

    private Noise(Random random, double variation, int variants, NoiseKind kind)
    {
        (_random, _variation, _kind) = (random, variation, kind);
        // With drift, one half of a rate's variance is drift and the other half is the run's own noise. Over five rounds a walk with this
        // step has the same variance as the runs' own noise.
        _own = kind switch
        {
            NoiseKind.Drift or NoiseKind.DriftNotInTurn => variation / Math.Sqrt(2),
            NoiseKind.Correlated or NoiseKind.StronglyCorrelated or NoiseKind.Trend => 0.2 * variation,
            _ => variation,
        };
        _correlation = kind switch { NoiseKind.Correlated => 0.5, NoiseKind.StronglyCorrelated => 0.9, _ => 0 };
        _driftStep = kind switch
        {
            NoiseKind.Drift or NoiseKind.DriftNotInTurn => _own / Math.Sqrt(variants),
            NoiseKind.Trend => (random.Next(2) == 0 ? variation : -variation) / variants,
            _ => 0,
        };
        for (var i = 0; i < RunsBefore && _correlation > 0; i++)
            Advance();
    }

    /// <summary>Noise of a random level within a range. The logarithm of the level is evenly distributed.</summary>
    public static Noise Within(NoiseRange range, Random random, int variants) => new(random, range.Draw(random), variants);

    /// <inheritdoc cref="Within(NoiseRange, Random, int)"/>
    /// <param name="variants">Number of runs of one round, at least 1.</param>
    public static Noise Within(NoiseRange range, Random random, int variants, NoiseKind kind) =>
        new(random, range.Draw(random), variants, kind);

    /// <summary>Indexes of the variants in the order in which they run, as an experiment has it.</summary>
    public IEnumerable<int> Order(int variants, int repeats) => _kind switch
    {
        NoiseKind.DriftNotInTurn => Enumerable.Range(0, variants).SelectMany(variant => Enumerable.Repeat(variant, repeats)),
        NoiseKind.Independent => Enumerable.Range(0, repeats).SelectMany(_ => Enumerable.Range(0, variants)),
        _ => Orders.GetOrAdd(
            (variants, repeats, _random.Next(DifferentOrders)),
            one => [.. RoundOrder.From(one.Variants, one.Repeats, (ulong)one.Seed).SelectMany(round => round)]),
    };

    /// <summary>Starts the next run.</summary>
    /// <param name="variant">Index of its variant.</param>
    public void BeginRun(int variant)
    {
        Advance();
        _carried = _kind == NoiseKind.CarryOver && _before == 1 ? Math.Log(1 - CarriedOver) : 0;
        _before = variant;
        var share = _kind switch
        {
            NoiseKind.Contaminated => 0.05,
            NoiseKind.StronglyContaminated => 0.2,
            NoiseKind.FirstIsContaminated when variant == 0 => 0.2,
            _ => 0,
        };
        _outlier = share > 0 && _random.NextDouble() < share ? -0.1 - (0.6 * _random.NextDouble()) : 0;
        _ofVariant = _kind switch
        {
            NoiseKind.FirstIsNoisier => variant == 0 ? UnequalFactor : 1,
            NoiseKind.OthersAreNoisier => variant == 0 ? 1 : UnequalFactor,
            _ => 1,
        };
    }

    /// <summary>The value that the run measures for a true value.</summary>
    public double Measure(double truth)
    {
        var own = _kind == NoiseKind.HeavyTailed ? HeavyTailed(_random) : Normal();
        return truth * Math.Exp(_shared + _outlier + _carried + (_ofVariant * _own * own));
    }

    /// <summary>The value that the run measures for a true value in the next of its steps. Steps follow each other in time.</summary>
    public double MeasureStep(double truth)
    {
        Advance();
        return Measure(truth);
    }

    private void Advance() => _shared = _kind switch
    {
        NoiseKind.Drift or NoiseKind.DriftNotInTurn => _shared + (_driftStep * Normal()),
        NoiseKind.Trend => _shared + _driftStep,
        NoiseKind.Correlated or NoiseKind.StronglyCorrelated =>
            (_correlation * _shared) + (Math.Sqrt(1 - (_correlation * _correlation)) * _variation * Normal()),
        _ => 0,
    };

    /// <summary>A random number with the standard normal distribution.</summary>
    public static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    /// <summary>A random number with Student's t distribution with 3 degrees of freedom, scaled to a standard deviation of 1.</summary>
    public static double HeavyTailed(Random random) =>
        Normal(random) / Math.Sqrt(Enumerable.Range(0, 3).Sum(_ => Math.Pow(Normal(random), 2)));

    private double Normal() => Normal(_random);
}

/// <summary>How the noise of runs is distributed, and what runs have in common.</summary>
internal enum NoiseKind
{
    /// <summary>Log-normal noise that each run has on its own.</summary>
    Independent,

    /// <summary>Half of the variance comes from a random walk through the whole experiment.</summary>
    Drift,

    /// <summary>From round to round the machine becomes steadily faster or slower, by as much as runs differ.</summary>
    Trend,

    /// <summary>Runs resemble the runs before them: AR(1) with 0.5 from run to run.</summary>
    Correlated,

    /// <summary>AR(1) with 0.9 from run to run.</summary>
    StronglyCorrelated,

    /// <summary>Student's t with 3 degrees of freedom.</summary>
    HeavyTailed,

    /// <summary>One run in 20 is slower by 10 to 50%, for a reason of its own.</summary>
    Contaminated,

    /// <summary>One run in 5 is slower by 10 to 50%, for a reason of its own.</summary>
    StronglyContaminated,

    /// <summary>One run in 5 of the first variant is slower by 10 to 50%. Runs of the other variants are not.</summary>
    FirstIsContaminated,

    /// <summary>The first variant is five times as noisy as the others.</summary>
    FirstIsNoisier,

    /// <summary>The other variants are five times as noisy as the first one.</summary>
    OthersAreNoisier,

    /// <summary>Each run after one of the second variant is slower by 5%.</summary>
    CarryOver,

    /// <summary>The walk of <see cref="Drift"/>, but all repeats of a variant come together.</summary>
    DriftNotInTurn,
}

/// <summary>Coefficients of variation of rates over five repeats.</summary>
internal sealed record NoiseRange(double Min, double Max)
{
    /// <summary>
    /// The noise that was measured: seven settings of the published inserts, with five repeats of 15,000 documents each, on two cores that
    /// did nothing else. They varied by 0.4% to 3.3%, 1.4% at the median. How often true effects are decided depends on this noise.
    /// </summary>
    public static NoiseRange Measured { get; } = new(0.004, 0.035);

    /// <summary>The noise of a machine that does other work as well. Verdicts must not be wrong too often on it either.</summary>
    public static NoiseRange Wide { get; } = new(0.01, 0.05);

    /// <summary>A random level within the range.</summary>
    public double Draw(Random random) => Min * Math.Pow(Max / Min, random.NextDouble());
}
