using ScaleOut.Measurement;

namespace ScaleOut.Reports.Building;

/// <summary>Adds up the workers' seconds.</summary>
internal static class SeriesPoints
{
    public static IReadOnlyList<SeriesPoint> Of(MergedRun run) => [.. Enumerable.Range(0, run.Axis.Count).Select(i => new SeriesPoint
    {
        Second = UtcSeconds.At(run.Axis.First + i),
        Inserted = run.Series.Sum(worker => worker.Inserted[i]),
        Throttled = run.Series.Sum(worker => worker.Throttled[i]),
        Failed = run.Series.Sum(worker => worker.Failed[i]),
        RequestUnits = Rounding.Amount(run.Series.Sum(worker => worker.RequestUnits[i])),
        Overlap = run.Window.Contains(run.Axis.First + i),
    })];
}
