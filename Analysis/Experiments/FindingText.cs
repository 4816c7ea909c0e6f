namespace ScaleOut.Analysis.Experiments;

/// <summary>Findings in the words that every form of the report shares.</summary>
internal static class FindingText
{
    public static string Verdict(FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.NotTested => "not tested",
        FindingVerdict.NoDifference => "no difference that matters",
        _ => verdict.ToString().ToLowerInvariant(),
    };

    /// <summary>A verdict with where the effect comes from, such as <c>supported, emergent</c>.</summary>
    public static string Label(FindingResult finding)
    {
        var verdict = Verdict(finding.Verdict);
        return finding switch
        {
            { Verdict: FindingVerdict.Assumed, Origin: FindingOrigin.Emergent, MeasuredOverPredicted: { } ratio } =>
                $"{verdict} but for {Numbers.Ratio(ratio)} x",
            { Origin: { } origin, Verdict: not (FindingVerdict.Assumed or FindingVerdict.NotTested) } => $"{verdict}, {Name(origin)}",
            _ => verdict,
        };
    }

    public static string Name(FindingOrigin origin) => origin.ToString().ToLowerInvariant();

    /// <summary>An interval, such as <c>1.23 to 1.29</c>.</summary>
    public static string From(Interval interval) =>
        interval.IsTooWide
            ? "says only that there are too few repeats"
            : $"{Numbers.Ratio(interval.Low)} to {Numbers.Ratio(interval.High)}";

    /// <summary>
    /// What decided verdicts rest on: each condition once, with the findings that rest on it if there are several conditions.
    /// </summary>
    public static IReadOnlyList<string> RestOn(IReadOnlyList<FindingResult> findings)
    {
        var conditions = findings.Where(finding => finding.RestsOn is not null).GroupBy(finding => finding.RestsOn!).ToList();
        return
        [
            .. conditions.Select(rest =>
            {
                var of = conditions.Count == 1 ? "" : $" of {string.Join(", ", rest.Select(finding => finding.Id))}";
                return $"Verdicts{of} are wrong in at most 5% of such experiments if {rest.Key}.";
            }),
        ];
    }

    /// <summary>Effect, intervals, what was published, the reason and the notes, one line each.</summary>
    public static IReadOnlyList<string> Details(FindingResult finding)
    {
        var lines = new List<string>();
        if (finding.Effect is { } effect)
        {
            var intervals = new[] { (Name: "95%", finding.Interval95), (Name: "90%", finding.Interval90) }
                .Where(pair => pair.Item2 is not null).Select(pair => $"{pair.Name} interval {From(pair.Item2!.Value)}").ToList();
            lines.Add($"Effect {Numbers.Ratio(effect)}{(finding.EffectOf is { } what ? $" ({what})" : "")}"
                + (intervals.Count > 0 ? ", " + string.Join(", ", intervals) : ", no interval: too few repeats")
                + (finding.Simulated ? ", simulated" : ""));
        }

        if (finding.Origin is { } origin)
            lines.Add($"Origin: {Name(origin)}"
                + (finding.Predicted is { } predicted ? $"; by the parameters alone {Numbers.Ratio(predicted)}" : "")
                + (finding is { Origin: FindingOrigin.Emergent, MeasuredOverPredicted: { } ratio }
                    ? $", measured / predicted {Numbers.Ratio(ratio)}" : ""));
        if (finding is { PValue: { } p, Holm: { } holm })
            lines.Add(Holm(finding.Verdict, p, holm));
        if (finding.Published is { } published)
            lines.Add($"Published: {Numbers.Ratio(published.Value)} ({published.Source})");
        // Why an assumed finding has no verdict is stated once, above all findings.
        if (finding.Reason is { } reason && finding.Verdict != FindingVerdict.Assumed
            && !finding.Sentence.Contains(reason, StringComparison.Ordinal))
            lines.Add($"Reason: {reason}");
        if (finding.Variants.Count > 0)
            lines.Add($"Variants: {string.Join(", ", finding.Variants)}");
        lines.AddRange(finding.Notes.Select(note => $"Note: {note}"));
        return lines;
    }

    /// <summary>The verdict after Holm's correction for all findings of the experiment; empty for findings without one.</summary>
    public static string AmongAll(FindingResult finding)
    {
        if (finding.Holm is not { } holm)
            return "";
        return holm.Verdict == finding.Verdict
            ? $"{Verdict(holm.Verdict)} among all findings"
            : $"not {Verdict(finding.Verdict)} among all findings (Holm)";
    }

    private static string Holm(FindingVerdict verdict, double p, HolmVerdict holm) =>
        $"Holm: p {Numbers.Probability(p)}, {Numbers.Probability(holm.PValue)} among {Words.Amount(holm.Findings, "tested finding")}"
            + $"{(holm.InterimAnalyses > 1 ? $" in {holm.InterimAnalyses} interim analyses" : "")}: "
            + (holm.Verdict == verdict
                ? $"still {Verdict(verdict)}"
                : $"{Verdict(holm.Verdict)}; of so many findings some are {Verdict(verdict)} by chance");
}
