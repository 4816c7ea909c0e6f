using System.Xml.Linq;
using ScaleOut.Findings;
using ScaleOut.Reports.Html;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Experiments.Reporting.Html;

/// <summary>Every finding with its verdict, the sentence that a person would say, effect, interval and what was published.</summary>
internal static class FindingMarkup
{
    public static XElement? Section(ExperimentReport report) => report.Findings.Count == 0 ? null : Tag("section",
        Class("table findings"),
        Tag("h2", "Findings", report.Simulated ? PlotMarkup.Simulated() : null),
        report.Findings.Select(Article));

    private static XElement Article(FindingResult finding)
    {
        var details = FindingText.Details(finding);
        return Tag("article",
            Tag("h3", Tag("span", Class($"badge {ClassOf(finding.Verdict)}"), FindingText.Verdict(finding.Verdict)), " ", finding.Claim, " ", Tag("span", Class("id"), finding.Id)),
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
