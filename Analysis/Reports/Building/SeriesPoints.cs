using ScaleOut.Measurement;

namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Adds up the workers' seconds. A second in which nothing happened has no point, so that a report grows with what was measured and not
/// with the time it took.
/// </summary>
internal static class SeriesPoints
{
    /// <summary>The seconds that have a point, ascending.</summary>
    public static IReadOnlyList<long> SecondsOf(MergedRun run) =>
    [
        .. run.Total.Seconds.Where(entry => HasPoint(entry.Value)).Select(entry => entry.Key)
            .Union(run.Partitions.SelectMany(partition => partition.PerSecond.Keys))
            .Order(),
    ];

    /// <summary>Their points.</summary>
    public static IReadOnlyList<SeriesPoint> From(MergedRun run, IReadOnlyList<long> seconds) =>
        [.. seconds.Select(second => PointOf(second, run.Total.At(second), run.Window.Contains(second)))];

    /// <summary>Seconds of a run as stretches of time.</summary>
    public static IReadOnlyList<TimeStretch> StretchesOf(SecondSet seconds) =>
        [.. seconds.Ranges.Select(range => new TimeStretch(UtcSeconds.At(range.From), UtcSeconds.At(range.To)))];

    private static bool HasPoint(SecondTotals sum) => sum is not { Inserted: 0, Throttled: 0, Failed: 0, RequestUnits: 0 };

    private static SeriesPoint PointOf(long second, SecondTotals sum, bool overlap) => new()
    {
        Second = UtcSeconds.At(second),
        Inserted = sum.Inserted,
        Throttled = sum.Throttled,
        Failed = sum.Failed,
        RequestUnits = Rounding.Amount(sum.RequestUnits),
        Overlap = overlap,
    };
}
