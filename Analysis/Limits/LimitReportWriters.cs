using System.Text;
using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Analysis.Text;
using ScaleOut.Evidence;
using ScaleOut.Experiments;
using ScaleOut.Json;
using static ScaleOut.Analysis.Text.CsvText;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Limits;

/// <summary>The forms that the report of a search is written in; they have the names of any experiment's.</summary>
public static class LimitReportWriters
{
    /// <summary>Each form by its file name; JSON first, as the others can be made from it again.</summary>
    public static IReadOnlyList<(string FileName, Func<LimitReport, byte[]> Write)> All { get; } =
    [
        ("report.json", Json),
        ("report.csv", report => Encoding.UTF8.GetBytes(Csv(report))),
        ("report.md", report => Encoding.UTF8.GetBytes(Markdown(report))),
        ("report.html", report => Encoding.UTF8.GetBytes(Html(report))),
    ];

    /// <summary>Reads <c>report.json</c>.</summary>
    /// <exception cref="EvidenceException">It is none, or was changed after it was written.</exception>
    public static LimitReport Read(ReadOnlySpan<byte> json) =>
        StoredItem.Read<LimitReport>(item: null, json, ScaleOutJson.Indented);

    /// <summary>Everything, with the names of <see cref="LimitReport"/>, after the three fields of a <see cref="StoredItem"/>.</summary>
    private static byte[] Json(LimitReport report) => StoredItem.Write($"{report.Id}/report.json", report, ScaleOutJson.Indented);

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

    private static string Markdown(LimitReport report)
    {
        var text = new StringBuilder("# Limit ").Append(MarkdownText.Escape(report.Id));
        if (report.Name is { } name)
            text.Append(": ").Append(MarkdownText.Escape(name));
        if (report.Simulated)
            text.Append("\n\n*Simulated: all measured numbers are from the simulated account.*");
        text.Append("\n\n**").Append(MarkdownText.Escape(report.Limit.Text)).Append("**\n\n");
        foreach (var warning in report.Warnings)
            text.Append("- ").Append(MarkdownText.Escape(warning)).Append('\n');
        var table = LimitReportTexts.Steps(report);
        text.Append(report.Warnings.Count > 0 ? "\n" : "").Append("## ").Append(table.Title)
            .Append(report.Simulated ? " (simulated)" : "").Append("\n\n")
            .Append(MarkdownText.Table(table)).Append('\n').Append(MarkdownText.Escape(table.Note!)).Append("\n\n")
            .Append(MarkdownText.Escape(LimitSentences.Method(report))).Append('\n');
        return text.ToString();
    }

    private static string Html(LimitReport report) => Page.Document(
        $"{report.Name ?? $"Limit {report.Id}"}{(report.Simulated ? " (simulated)" : "")}",
        [
            Tag("header",
                Tag("p", Class("badges"),
                    Tag("span", Class($"badge {(report.State == ExperimentState.Complete ? "good" : "fair")}"), report.State.ToString()),
                    report.Simulated ? Tag("span", Class("badge sim"), "simulated account") : null),
                Tag("h1", report.Name ?? $"Limit {report.Id}"),
                Tag("p", Class("headline"), report.Limit.Text),
                Tag("p", Class("meta"),
                    $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}")),
            Warnings(report),
            .. LimitPlot.From(report).Select(plot => PlotMarkup.Figure(plot, report.Simulated)),
            TableMarkup.Section(LimitReportTexts.Steps(report), report.Simulated),
            Tag("section", Class("table notes"), Tag("h2", "How it was measured"), Tag("p", LimitSentences.Method(report))),
        ]);

    private static XElement? Warnings(LimitReport report) => report.Warnings.Count == 0 ? null
        : Tag("section", Class("warnings"), Tag("h2", "Warnings"), Tag("ul", report.Warnings.Select(warning => Tag("li", warning))));
}
