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

    /// <summary>Numbers that the spec decides, or that say how much was not tested.</summary>
    private static readonly HashSet<string> Facts =
        ["findings.notTested", "published.pairs", "published.pairs.tie", "published.pairs.notTestable"];

    /// <summary>
    /// All names: counts of findings by verdict, of variants, and of published pairs, all and by verdict; and the rank correlation.
    /// </summary>
    public static IReadOnlyCollection<string> Names => Numbers.Keys;

    /// <summary>All numbers by name; those of published figures are null when the spec has none.</summary>
    public static IReadOnlyDictionary<string, double?> From(ExperimentReport report)
    {
        return Numbers.ToDictionary(entry => entry.Key, entry => entry.Value(report), StringComparer.Ordinal);
    }

    /// <summary>
    /// Gives the interval of a number that is not valid, by the number's name; null for a valid one. A busy machine leaves findings without
    /// a verdict. Each count of verdicts is then at least what valid runs decided, and at most that with all of these findings. Numbers of
    /// published figures can have any value if the machine spoiled the runs of a variant that has some.
    /// </summary>
    public static Func<string, Interval?> OpenIn(ExperimentReport report)
    {
        // Without an interval, nothing can emerge beside what the simulated account's parameters predict.
        var open = report.Findings.Where(finding => !finding.Verdict.IsDecided()
            && finding is not { Verdict: FindingVerdict.Assumed, Interval95: not null }
            && report.Variants.Any(variant => finding.Variants.Contains(variant.Name, StringComparer.Ordinal)
                && variant.Measured.For(FindingCatalog.TestOf(finding.Kind)).IsSpoiled)).ToList();
        var valid = From(report with { Findings = [.. report.Findings.Where(finding => !open.Contains(finding))] });
        var ofPublished = report.Variants.Any(variant => variant is { Published: not null, Measured.IsSpoiled: true });
        return name => name switch
        {
            _ when Facts.Contains(name) => null,
            _ when open.Count > 0 && name.StartsWith("findings.", StringComparison.Ordinal) =>
                new Interval(valid[name]!.Value, valid[name]!.Value + open.Count),
            _ => ofPublished && name.StartsWith("published.", StringComparison.Ordinal) ? Interval.Any : null,
        };
    }

    private static double Count(ExperimentReport report, FindingVerdict verdict) =>
        report.Findings.Count(finding => finding.Verdict == verdict);
}
