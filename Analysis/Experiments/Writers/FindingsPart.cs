using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>Every finding with its verdict, a sentence, the effect, its interval and what was published.</summary>
internal sealed class FindingsPart(ExperimentReport report) : ReportPart
{
    private const string Name = "Findings";
    private const string NoEvidence = "No evidence: these follow from parameters of the simulated account";

    /// <summary>What holds for all findings, so that none of them repeats it.</summary>
    private readonly IReadOnlyList<string> _notes =
    [
        .. report.Simulated && report.Findings.Any(finding => finding.Origin is not null)
            ? [ExperimentSentences.OriginsOfFindings]
            : Array.Empty<string>(),
        .. FindingText.RestOn(report.Findings),
    ];

    private List<FindingResult> Evidence => [.. report.Findings.Where(finding => finding.Verdict != FindingVerdict.Assumed)];

    private List<FindingResult> Assumed => [.. report.Findings.Where(finding => finding.Verdict == FindingVerdict.Assumed)];

    internal override string? Title => report.Findings.Count == 0 ? null : Name;

    internal override XElement? Html(bool simulated) => report.Findings.Count == 0 ? null : Tag("section",
        Class("table findings"),
        Tag("h2", Name, simulated ? SimulatedLabel() : null),
        _notes.Select(note => Tag("p", Class("note"), note)),
        Evidence.Select(Article),
        Assumed.Count == 0 ? null : Tag("h3", NoEvidence),
        Assumed.Select(Article));

    internal override string Markdown(bool simulated) => report.Findings.Count == 0 ? "" : Heading(Name, simulated)
        + string.Concat(_notes.Select(note => $"*{MarkdownText.Escape(note)}*\n\n"))
        + string.Concat(Evidence.Select(Item))
        + (Assumed.Count == 0 ? "" : $"*{NoEvidence}*\n\n" + string.Concat(Assumed.Select(Item)));

    internal override IReadOnlyList<string> Lines(int width)
    {
        if (report.Findings.Count == 0)
            return [];
        var labels = report.Findings.Max(finding => FindingText.Label(finding).Length);
        return
        [
            Name,
            .. Evidence.Concat(Assumed).SelectMany(finding => new[]
            {
                $"  {FindingText.Label(finding).PadRight(labels)}  {finding.Id}: {finding.Sentence}",
                FindingText.AmongAll(finding) is { Length: > 0 } amongAll ? $"  {"".PadRight(labels)}  {amongAll}" : null,
            }).OfType<string>().SelectMany(line => WrappedLines.From(line, width)),
        ];
    }

    private static XElement Article(FindingResult finding) => Tag("article",
        Tag(
            "h3", Tag("span", Class($"badge {ClassOf(finding.Verdict)}"), FindingText.Label(finding)), " ", finding.Claim, " ",
            Tag("span", Class("id"), finding.Id)),
        Tag("p", finding.Sentence),
        FindingText.Details(finding) is { Count: > 0 } details ? Tag("p", Class("detail"), string.Join(" · ", details)) : null);

    private static string Item(FindingResult finding) =>
        $"- **{FindingText.Label(finding)}**: {MarkdownText.Escape($"{finding.Claim} ({finding.Id})")}\n"
        + $"  {MarkdownText.Escape(finding.Sentence)}\n"
        + string.Concat(FindingText.Details(finding).Select(line => $"  - {MarkdownText.Escape(line)}\n")) + "\n";

    private static string ClassOf(FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.Supported => "good",
        FindingVerdict.Refuted => "bad",
        FindingVerdict.NoDifference or FindingVerdict.Inconclusive => "fair",
        _ => "muted",
    };
}
