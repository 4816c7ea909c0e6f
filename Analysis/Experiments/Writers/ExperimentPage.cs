using System.Globalization;
using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Experiments.Charts;
using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>The whole page: one file that asks for nothing else.</summary>
internal static class ExperimentPage
{
    public static string From(ExperimentReport report) => Page.Document(
        $"{report.Name ?? $"Experiment {report.Id}"}{(report.Simulated ? " (simulated)" : "")}",
        [
            Header(report),
            List("warnings", "Warnings", report.Warnings),
            FindingMarkup.Section(report),
            .. ExperimentPlots.From(report).Select(plot => PlotMarkup.Figure(plot, report.Simulated)),
            .. ExperimentTables.From(report).Select(table => TableMarkup.Section(table, report.Simulated)),
            List("table notes", "Notes of the spec", report.Spec.Notes),
        ]);

    private static XElement Header(ExperimentReport report) => Tag("header",
        Tag("p", Class("badges"),
            Tag("span", Class($"badge {StateClass(report.State)}"), report.State.ToString()),
            report.Simulated ? Tag("span", Class("badge sim"), "simulated account") : null,
            report.Scale < 1
                ? Tag("span", Class("badge fair"), string.Create(CultureInfo.InvariantCulture, $"scaled to {report.Scale:0.######}"))
                : null),
        Tag("h1", report.Name ?? $"Experiment {report.Id}"),
        Tag("p", Class("headline"), ExperimentSentences.Headline(report)),
        ExperimentSentences.Labels(report).Select(label => Tag("p", Class("meta"), label)),
        Tag("p", Class("meta"), $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}"));

    private static string StateClass(ExperimentState state) => state == ExperimentState.Complete ? "good" : "fair";

    private static XElement? List(string style, string title, IReadOnlyList<string> items) =>
        items.Count == 0 ? null : Tag("section", Class(style), Tag("h2", title), Tag("ul", items.Select(item => Tag("li", item))));
}

/// <summary>Every finding with its verdict, the sentence that a person would say, effect, interval and what was published.</summary>
internal static class FindingMarkup
{
    public static XElement? Section(ExperimentReport report) => report.Findings.Count == 0 ? null : Tag("section",
        Class("table findings"),
        Tag("h2", "Findings", report.Simulated ? SimulatedLabel() : null),
        report.Findings.Select(Article));

    private static XElement Article(FindingResult finding)
    {
        var details = FindingText.Details(finding);
        return Tag("article",
            Tag(
                "h3", Tag("span", Class($"badge {ClassOf(finding.Verdict)}"), FindingText.Label(finding)), " ", finding.Claim, " ",
                Tag("span", Class("id"), finding.Id)),
            Tag("p", finding.Sentence),
            details.Count > 0 ? Tag("ul", Class("detail"), details.Select(line => Tag("li", line))) : null);
    }

    private static string ClassOf(FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.Supported => "good",
        FindingVerdict.Refuted => "bad",
        FindingVerdict.Inconclusive => "fair",
        _ => "muted",
    };
}
