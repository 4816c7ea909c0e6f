using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>
/// <c>report.csv</c>: one row per UTC second in which anything happened, for spreadsheets, as <see cref="Text.CsvText"/> says.
/// Columns: <c>second</c> (ISO 8601), <c>inserted</c> (documents), <c>throttled</c> (attempts that got a 429), <c>failed</c> (documents),
/// <c>requestUnits</c>, <c>overlap</c> (1 when all workers were at work), <c>worker0</c> and so on (documents inserted by each worker),
/// <c>partition0</c> and so on (RU charged by each physical partition), and last <c>simulated</c> (1 when the figures come from the
/// simulated account). No value holds text from a user, so nothing needs quotes.
/// </summary>
internal sealed class CsvReportWriter : IReportWriter<RunReport>
{
    /// <inheritdoc/>
    public string FileName => "report.csv";

    /// <inheritdoc/>
    public string MediaType => "text/csv";

    /// <inheritdoc/>
    public byte[] Write(RunReport report)
    {
        var text = new StringBuilder();
        Row(text,
        [
            "second", "inserted", "throttled", "failed", "requestUnits", "overlap",
            .. report.Workers.Select(worker => $"worker{worker.Index}"),
            .. report.Partitions.Select(partition => $"partition{partition.Id}"),
            "simulated",
        ]);
        for (var i = 0; i < report.Series.Count; i++)
        {
            var point = report.Series[i];
            Row(text,
            [
                point.Second.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
                Number(point.Counts.Inserted), Number(point.Counts.Throttled), Number(point.Counts.Failed),
                Number(point.Counts.RequestUnits),
                point.Overlap ? "1" : "0",
                .. report.Workers.Select(worker => Number(worker.PerSecond[i])),
                .. report.Partitions.Select(partition => Number(partition.PerSecond[i])),
                report.Simulated ? "1" : "0",
            ]);
        }

        return Encoding.UTF8.GetBytes(text.ToString());
    }
}
