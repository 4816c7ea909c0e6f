namespace ScaleOut.Analysis.Reports.Charts;

internal static class WorkerTimesChart
{
    /// <summary>Largest number of rows. If there are more workers, neighbouring ones share a row.</summary>
    private const int MaxRows = 48;

    /// <summary>Null for a single worker, and if no times are known.</summary>
    public static Chart? From(RunReport report)
    {
        var workers = report.Workers.Where(worker => worker is { StartedAt: not null, EndedAt: not null }).ToList();
        if (workers.Count < 2 || report.Series.Count == 0)
            return null;
        var (first, last) = (workers.Min(worker => worker.StartedAt!.Value), workers.Max(worker => worker.EndedAt!.Value));
        var latest = workers.Max(worker => worker.StartedAt!.Value) - first;
        var earliest = last - workers.Min(worker => worker.EndedAt!.Value);
        var time = ReportTimeline.From(report);
        var rows = SharedRows.Of(workers, MaxRows).Select((members, row) => (
            Row: row,
            Name: members.Count == 1
                ? Numbers.Count(members[0].Index)
                : $"{Numbers.Count(members[0].Index)}-{Numbers.Count(members[^1].Index)}",
            From: (double)time.At(members.Min(worker => worker.StartedAt!.Value)),
            To: (double)time.At(members.Max(worker => worker.EndedAt!.Value)) + 1)).ToList();
        return new("workers-time", "When each worker was at work",
            $"From its first start to its last end. The last worker started {Numbers.Duration(latest)} after the first, and the first "
                + $"one ended {Numbers.Duration(earliest)} before the last.",
            ChartAxis.Time(time.Seconds), new ChartAxis("worker", ChartScale.Rows) { Rows = [.. rows.Select(row => row.Name)] },
            [
                ChartSeries.From("at work", "s0", ChartKind.Spans,
                [
                    .. rows.OrderBy(row => row.From).Select(row => new ChartPoint(
                        row.From, row.Row,
                        $"worker {row.Name}: {Numbers.Elapsed((int)row.From, time.Seconds)} to "
                            + Numbers.Elapsed((int)row.To, time.Seconds),
                        To: row.To)),
                ]),
            ])
        {
            Marks = [.. RunCharts.Cuts(time)],
            Note = rows.Count < workers.Count ? "Neighbouring workers share a row." : null,
        };
    }
}
