namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Adds up the workers' seconds. A second without activity has no point, so that the size of a report depends on the activity and not on
/// the duration of the run.
/// </summary>
internal static class SeriesPoints
{
    public static IReadOnlyList<long> SecondsOf(MergedRun run) =>
    [
        .. run.Total.Seconds.Where(entry => HasPoint(entry.Value.Counts)).Select(entry => entry.Key)
            .Union(run.Partitions.SelectMany(partition => partition.PerSecond.Keys))
            .Union(SamplesOf(run).Where(sample => sample.Errors is not null).Select(sample => sample.Second))
            .Order(),
    ];

    public static IReadOnlyList<SeriesPoint> From(MergedRun run, IReadOnlyList<long> seconds)
    {
        var samples = SamplesOf(run).ToLookup(sample => sample.Second);
        return [.. seconds.Select(second => new SeriesPoint
        {
            Second = UtcSeconds.At(second),
            Counts = run.Total.At(second).Counts.Rounded(),
            Overlap = run.Window.Contains(second),
            LatencyMs = LatencyOf(run, second),
            Errors = ErrorsOf(samples[second]),
        })];
    }

    /// <summary>Empty if the run's times contradict each other.</summary>
    private static IEnumerable<SecondSample> SamplesOf(MergedRun run) =>
        run.TimeErrors.Count > 0 ? [] : run.Legs.SelectMany(leg => leg.Seconds);

    private static LatencyBand? LatencyOf(MergedRun run, long second)
    {
        var merged = LatencySummary.From(run.Latencies.TryGetValue(second, out var packed) ? packed.Unpack() : LatencyHistogram.Coarse());
        return merged is { P50: { } p50, P95: { } p95, P99: { } p99 } ? new LatencyBand(p50, p95, p99) : null;
    }

    private static Dictionary<string, long>? ErrorsOf(IEnumerable<SecondSample> samples)
    {
        var errors = samples.SelectMany(sample => sample.Errors ?? new Dictionary<string, long>())
            .GroupBy(error => error.Key, StringComparer.Ordinal).OrderBy(group => group.Key, StringComparer.Ordinal)
            .ToDictionary(group => group.Key, group => group.Sum(error => error.Value));
        return errors.Count == 0 ? null : errors;
    }

    public static IReadOnlyList<TimeRange> StretchesOf(NumberSet seconds) =>
        [.. seconds.Ranges.Select(range => new TimeRange(UtcSeconds.At(range.First), UtcSeconds.At(range.End)))];

    private static bool HasPoint(Counts counts) => counts is not { Inserted: 0, Throttled: 0, Failed: 0, RequestUnits.Parts: 0 };
}
