namespace ScaleOut.Analysis.Experiments;

/// <summary>The numbers of an experiment's report that a condition can ask for.</summary>
public static class ExperimentNumbers
{
    private static readonly Dictionary<string, Func<ExperimentReport, double?>> Numbers = new(StringComparer.Ordinal)
    {
        ["findings.supported"] = report => Count(report, FindingVerdict.Supported),
        ["findings.refuted"] = report => Count(report, FindingVerdict.Refuted),
        ["findings.noDifference"] = report => Count(report, FindingVerdict.NoDifference),
        ["findings.inconclusive"] = report => Count(report, FindingVerdict.Inconclusive),
        ["findings.assumed"] = report => Count(report, FindingVerdict.Assumed),
        ["findings.notTested"] = report => Count(report, FindingVerdict.NotTested),
        ["variants.measured"] = report => report.Variants.Count(variant => variant.Rate is not null),
        ["variants.notMeasured"] = report => report.Variants.Count(variant => variant.Rate is null),
        ["published.spearman"] = report => report.Published?.Spearman,
        ["published.compared"] = report => report.Published?.Compared,
        ["published.pairs"] = report => report.Published?.Pairs.Count,
        ["published.pairs.agree"] = report => report.Published?.CountOf(PairVerdict.Agrees),
        ["published.pairs.disagree"] = report => report.Published?.CountOf(PairVerdict.Disagrees),
        ["published.pairs.undecided"] = report => report.Published?.CountOf(PairVerdict.Undecided),
        ["published.pairs.assumed"] = report => report.Published?.CountOf(PairVerdict.Assumed),
        ["published.pairs.tie"] = report => report.Published?.CountOf(PairVerdict.Tie),
        ["published.pairs.notTestable"] = report => report.Published?.CountOf(PairVerdict.NotTestable),
    };

    /// <summary>
    /// All names: counts of findings by verdict, of variants, and of published pairs, all and by verdict; and the rank correlation.
    /// </summary>
    public static IReadOnlyCollection<string> Names => Numbers.Keys;

    /// <summary>All numbers by name; those of published figures are null when the spec has none.</summary>
    public static IReadOnlyDictionary<string, double?> From(ExperimentReport report)
    {
        return Numbers.ToDictionary(entry => entry.Key, entry => entry.Value(report), StringComparer.Ordinal);
    }

    private static double Count(ExperimentReport report, FindingVerdict verdict) =>
        report.Findings.Count(finding => finding.Verdict == verdict);
}
