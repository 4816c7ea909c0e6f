using static ScaleOut.Analysis.Text.CsvText;

namespace ScaleOut.Analysis.Limits;

/// <summary>The forms that the report of a search is written in; they have the names of any experiment's.</summary>
public static class LimitReportWriters
{
    /// <summary>Each form by its file name; JSON first, as the others can be made from it again.</summary>
    public static IReadOnlyList<(string FileName, Func<LimitReport, byte[]> Write)> All { get; } =
    [
        (RunFiles.ReportName, Json),
        ("report.csv", report => Encoding.UTF8.GetBytes(Csv(report))),
        ("report.md", report => Encoding.UTF8.GetBytes(PageOf(report).ToMarkdown())),
        ("report.html", report => Encoding.UTF8.GetBytes(PageOf(report).ToHtml())),
    ];

    /// <summary>Reads <c>report.json</c>.</summary>
    /// <exception cref="EvidenceException">It is none, or was changed after it was written.</exception>
    public static LimitReport Read(ReadOnlySpan<byte> json) =>
        StoredItem.Read<LimitReport>(item: null, json, ScaleOutJson.Indented);

    /// <summary>Everything, with the names of <see cref="LimitReport"/>, after the three fields of a <see cref="StoredItem"/>.</summary>
    private static byte[] Json(LimitReport report) =>
        StoredItem.Write($"{report.Id}/{RunFiles.ReportName}", report, ScaleOutJson.Indented);

    /// <summary>One row per run (RFC 4180, comma, point as decimal separator).</summary>
    private static string Csv(LimitReport report)
    {
        var text = new StringBuilder("askedPerSecond,runId,held,achievedPerSecond,latencyP50Ms,latencyP99Ms,throttledShare,")
            .Append("requestUnitsPerSecond,inFlight,errors,boundBy,notMet,simulated\r\n");
        foreach (var (step, run) in report.Steps.SelectMany(step => step.Runs.Select(run => (step, run))))
        {
            string[] cells =
            [
                Number(step.Rate), run.RunId, run.Held is { } held ? held ? "1" : "0" : "", Number(run.AchievedPerSecond),
                Number(run.LatencyMs?.P50), Number(run.LatencyMs?.P99), Number(run.ThrottledShare), Number(run.RequestUnitsPerSecond),
                Number(run.InFlight), Number(run.Errors),
                Name(run.BoundBy), Guarded(run.Reason), report.Simulated ? "1" : "0",
            ];
            Row(text, cells);
        }

        return text.ToString();
    }

    private static ReportPage PageOf(LimitReport report) => new()
    {
        Subject = $"Limit {report.Id}",
        Name = report.Name,
        Simulated = report.Simulated,
        Badges = [new(report.State.ToString(), report.State == ExperimentState.Complete ? "good" : "fair")],
        Result = LimitSentences.Result(report),
        About = [$"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}."],
        Parts =
        [
            .. LimitChart.From(report).Select(ReportPart.From),
            ReportPart.List("warnings", "Warnings", report.Warnings),
            ReportPart.From(LimitReportTexts.Steps(report)),
            ReportPart.List("table notes", "How it was measured", [LimitSentences.Method(report)]),
        ],
    };
}
