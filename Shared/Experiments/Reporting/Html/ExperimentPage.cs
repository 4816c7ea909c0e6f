using System.Globalization;
using System.Xml.Linq;
using ScaleOut.Experiments.Reporting.Svg;
using ScaleOut.Experiments.Reporting.Tables;
using ScaleOut.Findings;
using ScaleOut.Reports.Html;
using ScaleOut.Reports.Text;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Experiments.Reporting.Html;

/// <summary>The whole page: one file that asks for nothing else.</summary>
internal static class ExperimentPage
{
    public static string Of(ExperimentReport report) => Page.Document(
        $"{report.Name ?? $"Experiment {report.Id}"}{(report.Simulated ? " (simulated)" : "")}",
        [
            Header(report),
            List("warnings", "Warnings", report.Warnings),
            FindingMarkup.Section(report),
            .. ExperimentPlots.Of(report).Select(plot => PlotMarkup.Figure(plot, report.Simulated)),
            .. ExperimentTables.Of(report).Select(table => TableMarkup.Section(table, report.Simulated)),
            List("table notes", "Notes of the plan", report.Spec.Notes),
        ]);

    private static XElement Header(ExperimentReport report) => Tag("header",
        Tag("p", Class("badges"),
            Tag("span", Class($"badge {StateClass(report.State)}"), report.State.ToString()),
            report.Simulated ? Tag("span", Class("badge sim"), "simulated account") : null,
            report.Scale < 1 ? Tag("span", Class("badge fair"), string.Create(CultureInfo.InvariantCulture, $"scaled to {report.Scale:0.######}")) : null),
        Tag("h1", report.Name ?? $"Experiment {report.Id}"),
        Tag("p", Class("headline"), ExperimentSentences.Headline(report)),
        ExperimentSentences.Labels(report).Select(label => Tag("p", Class("meta"), label)),
        Tag("p", Class("meta"), $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}"));

    private static string StateClass(ExperimentState state) => state == ExperimentState.Complete ? "good" : "fair";

    private static XElement? List(string style, string title, IReadOnlyList<string> items) =>
        items.Count == 0 ? null : Tag("section", Class(style), Tag("h2", title), Tag("ul", items.Select(item => Tag("li", item))));
}
