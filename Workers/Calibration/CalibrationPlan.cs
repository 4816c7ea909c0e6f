using ScaleOut.Charges;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Calibration;

/// <summary>What a calibration does, how long each part of it takes, and what it is expected to cost.</summary>
/// <param name="minutes">Time for all of it, 0.2 to 15.</param>
public sealed class CalibrationPlan(double minutes)
{
    /// <summary>Longest calibration in minutes, and the default.</summary>
    public const double MostMinutes = 15;

    /// <summary>Shortest calibration in minutes.</summary>
    public const double FewestMinutes = 0.2;

    /// <summary>RU that a calibration may cost where nothing else is said.</summary>
    public const double DefaultCost = 2_000_000;

    /// <summary>
    /// RU/s of the container. Below the 3,000 RU/s that a partition with burst credit can spend, so that there is something to see, and
    /// few enough that one client fills it and hardly works.
    /// </summary>
    public const int Throughput = 1_000;

    /// <summary>RU/s of the container that exists only to count its physical partitions and to be charged without an index.</summary>
    public const int SecondThroughput = 12_000;

    /// <summary>RU/s of the reference account's container, which costs nothing: so many that its calls need hardly any pauses.</summary>
    public const int ReferenceThroughput = 20_000;

    /// <summary>Shares of the budget under which latencies are measured.</summary>
    public static readonly IReadOnlyList<double> Levels = [0.1, 0.5, 0.9];

    /// <summary>Sizes of documents whose charges are measured, in KB.</summary>
    public static readonly IReadOnlyList<int> Kilobytes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

    /// <summary>Index entries of creates whose charges are measured.</summary>
    public static readonly IReadOnlyList<int> IndexedTerms = [1, 2, 5, 10, 20, 50];

    /// <summary>Operations of batches whose latencies are measured, beside single ones.</summary>
    public static readonly IReadOnlyList<int> BatchSizes = [10, 100];

    /// <summary>
    /// Sizes of documents whose latencies are measured, beside those of 1 KB: around the size that doubles a latency, where a given number
    /// of RU shows the growth best. Of 16 KB what is added is less than the medians of so few samples vary.
    /// </summary>
    public static readonly IReadOnlyList<int> LatencyKilobytes = [64, 256];

    /// <summary>Parts of the whole that the phases have; the rest is for charges and containers.</summary>
    private const double LevelShare = 0.12;
    private const double GatewayShare = 0.06;
    private const double SlopeShare = 0.24;
    private const double WayShare = 0.12;
    private const double LoadShare = 0.05;
    private const double IdleShare = 0.02;

    /// <summary>Each level of load.</summary>
    public TimeSpan Level => Part(LevelShare);

    /// <summary>The lowest level through the gateway.</summary>
    public TimeSpan Gateway => Part(GatewayShare);

    /// <summary>All sizes and batches together.</summary>
    public TimeSpan Slopes => Part(SlopeShare);

    /// <summary>429s in both modes.</summary>
    public TimeSpan Way => Part(WayShare);

    /// <summary>Load on one key beyond the budget; once before and once after the idle time.</summary>
    public TimeSpan Overload => Max(Part(LoadShare), TimeSpan.FromSeconds(5));

    /// <summary>Time without load.</summary>
    public TimeSpan Idle => Max(Part(IdleShare), TimeSpan.FromSeconds(2));

    /// <summary>RU that the whole is expected to cost, by the documented charges.</summary>
    public double ExpectedCost() =>
        ChargesCost() + (Level.TotalSeconds * Levels.Sum() * Throughput) + (Gateway.TotalSeconds * Levels[0] * Throughput)
        + (Slopes.TotalSeconds * SlopePhase.Utilization * Throughput)
        + (((2 * Overload) + Way).TotalSeconds * Math.Max(Throughput, SimulationSpec.BurstRequestUnitsPerSecond));

    /// <summary>What the program prints before it starts, one line for each phase.</summary>
    public IReadOnlyList<string> Describe() =>
    [
        FormattableString.Invariant($"creates a container with {SecondThroughput:#,0} RU/s for a few seconds, and one with ")
            + FormattableString.Invariant($"{Throughput:#,0} RU/s for the rest of the time; both are deleted, and billed for an hour"),
        FormattableString.Invariant($"charges: {Kilobytes.Count} sizes of documents, {IndexedTerms.Count} counts of index entries, reads, ")
            + "replaces, deletes, patches, batches, queries",
        $"latency: at {string.Join(", ", Levels.Select(level => $"{100 * level:0}%"))} of the budget for "
            + FormattableString.Invariant($"{Level.TotalSeconds:0} s each, through the gateway, of larger documents, ")
            + $"of batches of {string.Join(" and ", BatchSizes)}",
        FormattableString.Invariant($"throttling: one key beyond the budget for {Way.TotalSeconds:0} s, another for ")
            + FormattableString.Invariant($"{Overload.TotalSeconds:0} s, and again after {Idle.TotalSeconds:0} s without load"),
    ];

    private static double ChargesCost()
    {
        var charges = ChargeModel.Documented;
        return (ChargePhase.Repeats + 2) * Kilobytes.Sum(size => charges.Create(size * 1_024L, 0) + charges.Read(size * 1_024L))
            + (ChargePhase.Repeats * IndexedTerms.Sum(terms => charges.Create(1_024, terms)))
            + 3_000;
    }

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private TimeSpan Part(double share) => TimeSpan.FromMinutes(share * minutes);
}
