using System.Globalization;
using System.Text;
using System.Xml.Linq;
using ScaleOut.Analysis.Experiments.Charts;
using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary><c>report.html</c> of an experiment.</summary>
public sealed class ExperimentHtmlWriter() : PageHtmlWriter<ExperimentReport>(ExperimentPage.From);

/// <summary><c>report.md</c> of an experiment.</summary>
public sealed class ExperimentMarkdownWriter() : PageMarkdownWriter<ExperimentReport>(ExperimentPage.From);

/// <summary>What an experiment's report shows to people.</summary>
internal static class ExperimentPage
{
    public static ReportPage From(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var plots = ExperimentPlots.From(report);
        return new ReportPage
        {
            Subject = $"Experiment {report.Id}",
            Name = report.Name,
            Simulated = report.Simulated,
            Badges =
            [
                new(report.State.ToString(), report.State == ExperimentState.Complete ? "good" : "fair"),
                .. report.Scale < 1
                    ? [new Badge(string.Create(CultureInfo.InvariantCulture, $"scaled to {report.Scale:0.######}"), "fair")]
                    : Array.Empty<Badge>(),
            ],
            Result = ExperimentSentences.Result(report),
            About =
            [
                .. ExperimentSentences.Labels(report),
                ExperimentSentences.Headline(report),
                $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}.",
            ],
            Parts =
            [
                .. plots.Take(1).Select(ReportPart.From),
                .. plots.Skip(1).Where(plot => plot.Id == CurvePlots.WorkersId).Select(ReportPart.From),
                .. SizingTable.From(report.Sizing).Select(ReportPart.From),
                ReportPart.List("warnings", "Warnings", report.Warnings),
                FindingParts.From(report),
                .. plots.Skip(1).Where(plot => plot.Id != CurvePlots.WorkersId).Select(ReportPart.From),
                .. ExperimentTables.From(report).Select(ReportPart.From),
                ReportPart.List("table notes", "Notes of the spec", report.Spec.Notes),
            ],
        };
    }
}

/// <summary>Every finding with its verdict, the sentence that a person would say, effect, interval and what was published.</summary>
internal static class FindingParts
{
    private const string Title = "Findings";

    public static ReportPart From(ExperimentReport report) => new(
        simulated => report.Findings.Count == 0 ? null : Tag("section",
            Class("table findings"),
            Tag("h2", Title, simulated ? SimulatedLabel() : null),
            Labels(report).Select(label => Tag("p", Class("note"), label)),
            report.Findings.Select(Article)),
        simulated => report.Findings.Count == 0 ? "" : ReportPart.Heading(Title, simulated)
            + string.Concat(Labels(report).Select(label => $"*{MarkdownText.Escape(label)}*\n\n"))
            + string.Concat(report.Findings.Select(Item)));

    private static IReadOnlyList<string> Labels(ExperimentReport report) =>
        report.Simulated && report.Findings.Any(finding => finding.Origin is not null) ? [ExperimentSentences.OriginsOfFindings] : [];

    private static XElement Article(FindingResult finding) => Tag("article",
        Tag(
            "h3", Tag("span", Class($"badge {ClassOf(finding.Verdict)}"), FindingText.Label(finding)), " ", finding.Claim, " ",
            Tag("span", Class("id"), finding.Id)),
        Tag("p", finding.Sentence),
        FindingText.Details(finding) is { Count: > 0 } details ? Tag("p", Class("detail"), string.Join(" · ", details)) : null);

    private static string Item(FindingResult finding)
    {
        var text = new StringBuilder("- **").Append(FindingText.Label(finding)).Append("**: ")
            .Append(MarkdownText.Escape($"{finding.Claim} ({finding.Id})")).Append("\n  ")
            .Append(MarkdownText.Escape(finding.Sentence)).Append('\n');
        foreach (var line in FindingText.Details(finding))
            text.Append("  - ").Append(MarkdownText.Escape(line)).Append('\n');
        return text.Append('\n').ToString();
    }

    private static string ClassOf(FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.Supported => "good",
        FindingVerdict.Refuted => "bad",
        FindingVerdict.Inconclusive => "fair",
        _ => "muted",
    };
}
