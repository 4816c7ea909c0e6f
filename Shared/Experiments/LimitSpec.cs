namespace ScaleOut.Experiments;

/// <summary>
/// The search for the highest rate that a spec holds: the condition for holding, the first rate, and the confidence and precision of the
/// result. Rates are documents per second over all workers.
/// </summary>
public sealed record LimitSpec
{
    /// <summary>Lowest rate that is tried; below it no rate holds.</summary>
    public const double MinRate = 1;

    /// <summary>Minimum time of a step after its warm-up, so that its overlap window is long enough for a rate.</summary>
    public static readonly TimeSpan MinMeasurement = TimeSpan.FromSeconds(5);

    /// <summary>The condition if the spec gives none.</summary>
    public const string DefaultUntil = "throttledShare<0.01 && errors==0";

    /// <summary>Name of the figure in conditions: the achieved share of the asked rate.</summary>
    public const string AchievedShare = "achievedShare";

    /// <summary>Added to every condition that does not name <see cref="AchievedShare"/>.</summary>
    public const string Achieved = AchievedShare + ">=0.95";

    private const double MaxRate = 1_000_000;

    [SpecField("Condition under which a rate holds, such as p99<10ms && throttledShare<0.01. Unless it names " + AchievedShare + ", "
        + Achieved + " must hold besides.", MaxLength = 1_000, Filled = true, Default = DefaultUntil)]
    public string? Until { get; init; }

    [SpecField("Rate that is tried first, documents per second over all workers.", Min = MinRate, Max = MaxRate)]
    public double From { get; init; } = 100;

    [SpecField("Highest rate that is tried.", Min = MinRate, Max = MaxRate)]
    public double To { get; init; } = MaxRate;

    [SpecField("Times that the highest or the lowest rate is measured where nothing else ends the search. A search takes at most 20 times "
        + "as many runs.", Min = 1, Max = 20)]
    public int Repeats { get; init; } = 3;

    [SpecField("Probability with which the limit lies in the interval.", Min = 0.5, Max = 0.999)]
    public double Confidence { get; init; } = 0.95;

    [SpecField("Width to which the interval is refined, as a share of its lower end.", Min = 0.01, Max = 1)]
    public double Precision { get; init; } = 0.05;

    /// <summary>At least <see cref="MinMeasurement"/> longer than the warm-up.</summary>
    [SpecField("How long each measurement lasts, its warm-up included.", Min = 1, Max = RunSpec.MaxLegSeconds)]
    public TimeSpan StepDuration { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary><see cref="From"/>, rounded to a rate that a search can ask for.</summary>
    [JsonIgnore]
    public double FirstRate => LimitRate.Round(From);

    /// <summary><see cref="To"/>, rounded to a rate that a search can ask for.</summary>
    [JsonIgnore]
    public double LastRate => LimitRate.Round(To);
}

/// <summary>Rates that a search can ask for. They have four significant digits, so that each has a short and unique name.</summary>
public static class LimitRate
{
    private const int MinMantissa = 1_000;

    /// <summary>The nearest rate with four significant digits.</summary>
    /// <param name="rate">1 to 1,000,000.</param>
    public static double Round(double rate)
    {
        var (mantissa, exponent) = Split(rate);
        return exponent >= 3 ? mantissa * Math.Pow(10, exponent - 3) : mantissa / Math.Pow(10, 3 - exponent);
    }

    /// <summary>The rate's first four digits and its power of ten, such as <c>1625e2</c> for 162.5.</summary>
    public static string NameOf(double rate)
    {
        var (mantissa, exponent) = Split(rate);
        return string.Create(CultureInfo.InvariantCulture, $"{mantissa}e{exponent}");
    }

    private static (int Mantissa, int Exponent) Split(double rate)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(rate, LimitSpec.MinRate);
        var exponent = (int)Math.Floor(Math.Log10(rate));
        var mantissa = (int)Math.Round(rate * Math.Pow(10, 3 - exponent));
        return mantissa >= 10 * MinMantissa ? (MinMantissa, exponent + 1)
            : mantissa < MinMantissa ? (10 * MinMantissa - 1, exponent - 1)
            : (mantissa, exponent);
    }
}
