namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that the second of two variants is better: it has more of a figure, or less of one that should be low.</summary>
/// <param name="claim">As the beginning of a sentence.</param>
/// <param name="effectOf">The figures that the effect is a ratio of.</param>
internal abstract class GainTest(FindingKind kind, FindingRoles roles, string claim, string effectOf) : PairTest(kind, roles)
{
    public override string ClaimFor(FindingSpec finding) => ClaimText.Gain(claim, ThresholdOf(finding));

    /// <summary>States the effect, such as <c>Direct wrote 1.5 times the documents per second of Gateway</c>.</summary>
    protected abstract string Statement(string ratio);

    /// <summary>The figure that is compared.</summary>
    protected virtual double? FigureOf(RunFigures figures) => figures.Rate;

    /// <summary>Number of parts of the claim, all of which must hold; the comparison is one of them. Default 1.</summary>
    protected virtual int Parts => 1;

    /// <summary>Whether a lower figure is better. The effect is then the first variant's figure over the second's.</summary>
    protected virtual bool LessIsBetter => false;

    public override FindingResult Judge(FindingCase given)
    {
        if (WhyNotTested(given) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        if (given.Compare(FigureOf, LessIsBetter) is not { } comparison)
            return FindingResult.NotTested($"{effectOf.Split(',')[0]} was not measured in every run");

        var outcome = comparison.ToFinding(effectOf, Statement(ClaimText.Ratio(comparison.Ratio)));
        if (!comparison.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfPart(comparison.Effect, threshold, Parts);
        if (Blocked(given, verdict) is { } reason)
            return outcome.UndecidedBecause(reason);
        return outcome.DecideGain(
            verdict, comparison, threshold,
            threshold == 1 && Verdicts.Default.IsNoGain(comparison.Effect) ? ": a real gain, though too small to matter." : ".",
            comparison.Effect.At().LiesBelow(1) ? ": worse, not better." : ": no gain that matters.") with
        {
            Interval90 = threshold == 1 ? comparison.Interval90 : null,
        };
    }

    /// <summary>
    /// Why the verdict cannot stand: an outside limit held back the variant that came off worse, so that it could do more. Null if it
    /// stands.
    /// </summary>
    private string? Blocked(FindingCase given, FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.Supported when CapOf(given.Baseline) is { } cap => $"{given.Baseline.Name} was held back by {ClaimText.Cap(cap)}",
        FindingVerdict.Refuted when CapOf(given.Changed) is { } cap => $"{given.Changed.Name} was held back by {ClaimText.Cap(cap)}",
        _ => null,
    };
}
