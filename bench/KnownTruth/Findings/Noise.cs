namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>What a machine does to measured rates: noise of each run's own, and what runs that follow each other have in common.</summary>
internal sealed class Noise
{
    /// <summary>Times as noisy as the others that one variant is.</summary>
    private const double UnequalFactor = 5;

    /// <summary>Runs in which a correlated machine forgets what it was like before the experiment.</summary>
    private const int RunsBefore = 50;

    private readonly Random _random;
    private readonly NoiseKind _kind;
    private readonly double _variation;
    private readonly double _own;
    private readonly double _driftStep;
    private readonly double _correlation;
    private double _shared;
    private double _outlier;
    private double _ofVariant = 1;

    /// <param name="random">Gives the same noise for the same seed.</param>
    /// <param name="variation">Coefficient of variation of a variant's rates over five repeats.</param>
    /// <param name="variants">Runs of one round; 0 for no drift.</param>
    public Noise(Random random, double variation, int variants)
        : this(random, variation, variants, variants == 0 ? NoiseKind.Independent : NoiseKind.Drift)
    {
    }

    private Noise(Random random, double variation, int variants, NoiseKind kind)
    {
        (_random, _variation, _kind) = (random, variation, kind);
        // With drift half of a rate's variance is the one, half the other. Over five rounds a walk with this step has the same variance as
        // the runs' own noise.
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

    /// <summary>Of a level within a range, small ones as likely as large ones by their logarithm.</summary>
    public static Noise Within(NoiseRange range, Random random, int variants) => new(random, range.Draw(random), variants);

    /// <inheritdoc cref="Within(NoiseRange, Random, int)"/>
    /// <param name="variants">Runs of one round, 1 and more.</param>
    public static Noise Within(NoiseRange range, Random random, int variants, NoiseKind kind) =>
        new(random, range.Draw(random), variants, kind);

    /// <summary>The places of the variants in the order in which they run: each round in an order of its own.</summary>
    public IEnumerable<int> Order(int variants, int repeats) => _kind == NoiseKind.DriftNotInTurn
        ? Enumerable.Range(0, variants).SelectMany(variant => Enumerable.Repeat(variant, repeats))
        : Enumerable.Range(0, repeats).SelectMany(_ => Enumerable.Range(0, variants)
            .OrderBy(_ => _kind == NoiseKind.Independent ? 0 : _random.Next()));

    /// <summary>Goes on to the next run.</summary>
    /// <param name="variant">Its variant's place.</param>
    public void BeginRun(int variant)
    {
        Advance();
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

    /// <summary>What the run measures of a true value.</summary>
    public double Measure(double truth)
    {
        var own = _kind == NoiseKind.HeavyTailed ? HeavyTailed() : Normal();
        return truth * Math.Exp(_shared + _outlier + (_ofVariant * _own * own));
    }

    /// <summary>What the run measures of a true value in the next of its steps, which follow each other in time.</summary>
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

    /// <summary>A standard normal number.</summary>
    public static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    private double Normal() => Normal(_random);

    /// <summary>Student's t with 3 degrees of freedom, with a standard deviation of 1.</summary>
    private double HeavyTailed() => Normal() / Math.Sqrt(Enumerable.Range(0, 3).Sum(_ => Math.Pow(Normal(), 2)));
}

/// <summary>How the noise of runs is distributed, and what they have in common.</summary>
internal enum NoiseKind
{
    /// <summary>Log-normal, each run's own.</summary>
    Independent,

    /// <summary>Half of the variance is a random walk through the whole experiment.</summary>
    Drift,

    /// <summary>The machine becomes steadily faster, or slower, from round to round by as much as runs differ.</summary>
    Trend,

    /// <summary>Runs resemble those before them: AR(1) with 0.5 from run to run.</summary>
    Correlated,

    /// <summary>AR(1) with 0.9 from run to run.</summary>
    StronglyCorrelated,

    /// <summary>Student's t with 3 degrees of freedom.</summary>
    HeavyTailed,

    /// <summary>One run of 20 is slower by 10 to 50% for a reason of its own.</summary>
    Contaminated,

    /// <summary>One run of 5 is.</summary>
    StronglyContaminated,

    /// <summary>One run of 5 of the first variant is, and none of the others.</summary>
    FirstIsContaminated,

    /// <summary>The first variant is five times as noisy as the others.</summary>
    FirstIsNoisier,

    /// <summary>The others are five times as noisy as the first one.</summary>
    OthersAreNoisier,

    /// <summary>The walk of <see cref="Drift"/>, but all repeats of a variant come together.</summary>
    DriftNotInTurn,
}

/// <summary>Coefficients of variation of rates over five repeats.</summary>
/// <param name="Least">Above 0.</param>
/// <param name="Most">At least as much.</param>
internal sealed record NoiseRange(double Least, double Most)
{
    /// <summary>
    /// As measured: seven settings of the published inserts, five repeats of 15,000 documents each, on two cores that did nothing else,
    /// varied by 0.4% to 3.3%, 1.4% at the median. How often true effects are decided is a question of the noise there is.
    /// </summary>
    public static NoiseRange Measured { get; } = new(0.004, 0.035);

    /// <summary>A machine that does other things besides. Verdicts must not go wrong on it either.</summary>
    public static NoiseRange Wide { get; } = new(0.01, 0.05);

    /// <summary>A level within it.</summary>
    public double Draw(Random random) => Least * Math.Pow(Most / Least, random.NextDouble());
}
