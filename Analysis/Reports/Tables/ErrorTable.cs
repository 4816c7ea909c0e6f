namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per status that attempts got besides success and 409, with when they got it.</summary>
internal static class ErrorTable
{
    /// <summary>Spans of time that have a column.</summary>
    private const int MostSpans = 6;

    /// <summary>One table, or none for a run without errors and 429s.</summary>
    public static IReadOnlyList<TextTable> From(RunReport report)
    {
        var busy = report.Spec.Workload.Kind.UsesTables() ? "throttled (503, 500 timed out, 429)" : "429";
        var rows = new List<(string Status, long Count, Func<SeriesPoint, long> Of)>();
        if (report.Requests.Throttled > 0)
            rows.Add((busy, report.Requests.Throttled, point => point.Counts.Throttled));
        rows.AddRange(report.Requests.ErrorsByStatus.Select(error =>
            (error.Key, error.Value, (Func<SeriesPoint, long>)(point => point.Errors?.GetValueOrDefault(error.Key) ?? 0))));
        if (rows.Count == 0)
            return [];
        var time = ReportTimeline.From(report);
        var bins = new TimeBins(time.Seconds, MostSpans);
        string Elapsed(int second) => Numbers.Elapsed(second, time.Seconds);
        return
        [
            new TextTable("Errors by status and time",
                [
                    Column.From("Status"), new("Attempts"), new("First"), new("Last"),
                    .. Enumerable.Range(0, bins.Count)
                        .Select(bin => new Column($"{Elapsed(bins.Start(bin))} to {Elapsed(bins.Start(bin + 1))}")),
                ],
                [.. rows.Select(row => Row(row.Status, row.Count, [.. report.Series.Select(row.Of)]))],
                "Status and sub-status; status 0 is no response. Times are elapsed since the first start, without interruptions, in "
                    + $"{(time.Seconds < 3_600 ? "min:s" : "h:min:s")}."),
        ];

        IReadOnlyList<string> Row(string status, long count, IReadOnlyList<long> perEntry)
        {
            var seen = time.Positions.Zip(perEntry).Where(entry => entry.Second > 0).Select(entry => entry.First).ToList();
            return
            [
                status, Numbers.Count(count), seen.Count > 0 ? Elapsed(seen[0]) : Numbers.Unknown,
                seen.Count > 0 ? Elapsed(seen[^1]) : Numbers.Unknown,
                .. Enumerable.Range(0, bins.Count).Select(bin => Numbers.Count(
                    time.Positions.Zip(perEntry).Where(entry => entry.First / bins.SecondsPerBin == bin).Sum(entry => entry.Second))),
            ];
        }
    }
}
