using ScaleOut.Experiments.Reporting;
using ScaleOut.Experiments.Reporting.Tables;
using ScaleOut.Reports.Text;

namespace ScaleOut.DevBox.Display;

/// <summary>What a user wants to know when an experiment has ended, before opening the report.</summary>
internal static class ExperimentSummary
{
    private const int ShownWarnings = 5;

    /// <summary>The summary's lines.</summary>
    /// <param name="report">Of the ended experiment.</param>
    /// <param name="page">Path of the report for people.</param>
    public static IEnumerable<string> Of(ExperimentReport report, string page)
    {
        yield return "";
        yield return $"{(report.Simulated ? "Simulated: " : "")}{ExperimentSentences.Headline(report)}";
        var width = Math.Min(40, report.Variants.Max(variant => variant.Name.Length));
        foreach (var variant in report.Variants)
        {
            var figures = variant.Rate is { } rate
                ? $"{Numbers.Brief(rate.Value),10}/s  {(rate.Interval95 is null ? "one repeat" : VariantTable.Interval(rate.Interval95)),-20}"
                : $"not measured: {variant.NotMeasured}";
            yield return $"  {variant.Name.PadRight(width)} {figures}".TrimEnd();
        }

        foreach (var finding in report.Findings)
            yield return $"  {FindingText.Verdict(finding.Verdict),-14} {finding.Sentence}";
        if (report.Published?.Spearman is { } rho)
            yield return $"  {"published",-14} rank correlation {FindingText.Ratio(rho)}; {report.Published.CountOf(PairVerdict.Agrees)} pairs in the published order, {report.Published.CountOf(PairVerdict.Disagrees)} not";
        foreach (var warning in report.Warnings.Take(ShownWarnings))
            yield return $"  note: {warning}";
        if (report.Warnings.Count > ShownWarnings)
            yield return $"  note: {report.Warnings.Count - ShownWarnings} more in the report";
        yield return $"  {"report",-14} {page}";
    }
}
