namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that two variants do the same but for a negligible factor.</summary>
/// <param name="claim">As the beginning of a sentence.</param>
internal abstract class SamenessTest(FindingKind kind, FindingRoles roles, string claim) : PairTest(kind, roles)
{
    public override string ClaimFor(FindingSpec finding) => ClaimText.Sameness(claim, ThresholdOf(finding));

    /// <summary>Says by how much they differ, such as <c>Eventual did 1.01 times the documents per second of Session</c>.</summary>
    protected abstract string Statement(FindingCase given, string ratio);

    /// <summary>Added to every sentence: what a reader should know of the matter itself; empty for nothing.</summary>
    protected virtual string Remark => "";

    public override bool IsSameness => true;

    public override FindingResult Judge(FindingCase given)
    {
        if (WhyNotTested(given) is { } obstacle)
            return With(Remark, FindingResult.NotTested(obstacle));

        var comparison = Comparison.From(given.Changed.Rates, given.Baseline.Rates);
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = comparison.Ratio,
            EffectOf = $"documents per second, {given.Changed.Name} / {given.Baseline.Name}",
            Interval95 = comparison.Interval95(),
            Interval90 = comparison.Interval90,
            Sentence = $"{Statement(given, ClaimText.Ratio(comparison.Ratio))}{ClaimText.Within90(comparison.Interval90)}",
        };
        return With(Remark, Decide(given, comparison, outcome));
    }

    private FindingResult Decide(FindingCase given, Comparison comparison, FindingResult outcome)
    {
        if (!comparison.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var factor = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfSameness(comparison.Effect, factor);
        return Blocked(given, verdict, comparison.Ratio) is { } reason
            ? outcome.UndecidedBecause(reason)
            : outcome.DecideSameness(verdict, comparison, factor, band => $"the same within {band}", "a difference that matters");
    }

    /// <summary>
    /// A side that something from outside held back could do more: being equal then proves nothing, nor does being slower.
    /// </summary>
    private string? Blocked(FindingCase given, FindingVerdict verdict, double ratio)
    {
        var suspects = verdict switch
        {
            FindingVerdict.Supported => given.Variants,
            FindingVerdict.Refuted => [ratio < 1 ? given.Changed : given.Baseline],
            _ => [],
        };
        return suspects.FirstOrDefault(variant => CapOf(variant) is not null) is { } held
            ? $"{held.Name} was held back by {ClaimText.Cap(CapOf(held)!.Value)}"
            : null;
    }

    private static FindingResult With(string remark, FindingResult outcome) =>
        remark.Length == 0 ? outcome : outcome with { Sentence = $"{outcome.Sentence} {remark}" };
}
