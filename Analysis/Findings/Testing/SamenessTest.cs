namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that the rates of two variants differ by a negligible factor at most.</summary>
/// <param name="claim">As the beginning of a sentence.</param>
internal abstract class SamenessTest(FindingKind kind, FindingRoles roles, string claim) : PairTest(kind, roles)
{
    public override string ClaimFor(FindingSpec finding) => ClaimText.Sameness(claim, ThresholdOf(finding));

    /// <summary>States the difference, such as <c>Eventual did 1.01 times the documents per second of Session</c>.</summary>
    protected abstract string Statement(FindingCase given, string ratio);

    public override bool IsSameness => true;

    public override FindingResult Judge(FindingCase given)
    {
        if (WhyNotTested(given) is { } obstacle)
            return FindingResult.NotTested(obstacle);

        var comparison = Comparison.From(given.Changed.Rates, given.Baseline.Rates);
        var outcome = comparison.ToSamenessFinding(
            $"documents per second, {given.Changed.Name} / {given.Baseline.Name}", Statement(given, ClaimText.Ratio(comparison.Ratio)));
        if (!comparison.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var factor = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfSameness(comparison.Effect, factor);
        return Blocked(given, verdict, comparison.Ratio) is { } reason
            ? outcome.UndecidedBecause(reason)
            : outcome.DecideSameness(verdict, comparison, factor, band => $"the same within {band}", "a difference that matters");
    }

    /// <summary>
    /// Why the verdict cannot stand: an outside limit held back a variant that could do more. Then equal rates prove nothing, nor does a
    /// lower rate of that variant. Null if it stands.
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
}
