namespace ScaleOut.Experiments;

/// <summary>
/// The search for the highest rate that a spec holds: what holding means, where it begins, and how sure its result is to be. Rates are
/// documents per second over all workers.
/// </summary>
public sealed record LimitSpec
{
    /// <summary>Lowest rate that is tried; below it no rate holds.</summary>
    public const double LowestRate = 1;

    /// <summary>Highest rate that a spec may ask for.</summary>
    public const double HighestRate = 1_000_000;

    /// <summary>Most <see cref="Repeats"/>.</summary>
    public const int HighestRepeats = 20;

    /// <summary>Least <see cref="Confidence"/>.</summary>
    public const double LeastConfidence = 0.5;

    /// <summary>Most <see cref="Confidence"/>.</summary>
    public const double HighestConfidence = 0.999;

    /// <summary>Finest <see cref="Precision"/>.</summary>
    public const double FinestPrecision = 0.01;

    /// <summary>Longest <see cref="StepDuration"/>.</summary>
    public static readonly TimeSpan LongestStep = RunSpec.LongestLeg;

    /// <summary>Whole seconds that a step needs after its warm-up, so that its rate is one of its overlap window.</summary>
    public static readonly TimeSpan ShortestMeasurement = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Condition over the numbers of a run's report under which its rate holds, such as <c>p99&lt;10ms</c>. That the asked rate is achieved
    /// is part of it unless it names the achieved share itself. Null means: achieved, hardly throttled, no errors.
    /// </summary>
    public string? Until { get; init; }

    /// <summary>Rate that is tried first, <see cref="LowestRate"/> to <see cref="HighestRate"/>. Default 100.</summary>
    public double From { get; init; } = 100;

    /// <summary>Highest rate that is tried, not below <see cref="From"/>. Default <see cref="HighestRate"/>.</summary>
    public double To { get; init; } = HighestRate;

    /// <summary>
    /// Times that each end of the resulting interval is measured at least, 1 to <see cref="HighestRepeats"/>. Default 3. A rate whose
    /// measurements contradict each other is measured more often, at most three times as often and once more, or ten times.
    /// </summary>
    public int Repeats { get; init; } = 3;

    /// <summary>Probability with which the limit lies in the resulting interval. Default 0.95.</summary>
    public double Confidence { get; init; } = 0.95;

    /// <summary>Width to which the interval is refined, as a share of its lower end, up to 1. Default 0.05.</summary>
    public double Precision { get; init; } = 0.05;

    /// <summary>
    /// How long each measurement lasts, its warm-up included: up to <see cref="LongestStep"/>, and <see cref="ShortestMeasurement"/> or
    /// more beside the warm-up. Default 15 s.
    /// </summary>
    public TimeSpan StepDuration { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary><see cref="From"/> as it is asked for.</summary>
    [JsonIgnore]
    public double FirstRate => LimitRate.Round(From);

    /// <summary><see cref="To"/> as it is asked for.</summary>
    [JsonIgnore]
    public double LastRate => LimitRate.Round(To);

    /// <summary>Most measurements at one rate.</summary>
    [JsonIgnore]
    internal int MostRepeats => Math.Max(10, (3 * Repeats) + 1);
}

/// <summary>Rates as a search asks for them: with four significant digits, so that each has a short name of its own.</summary>
internal static class LimitRate
{
    private const int LeastMantissa = 1_000;

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
        ArgumentOutOfRangeException.ThrowIfLessThan(rate, LimitSpec.LowestRate);
        var exponent = (int)Math.Floor(Math.Log10(rate));
        var mantissa = (int)Math.Round(rate * Math.Pow(10, 3 - exponent));
        return mantissa >= 10 * LeastMantissa ? (LeastMantissa, exponent + 1)
            : mantissa < LeastMantissa ? (10 * LeastMantissa - 1, exponent - 1)
            : (mantissa, exponent);
    }
}
