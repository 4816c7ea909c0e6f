using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Experiments.Writers;

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
