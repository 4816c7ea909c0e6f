namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that of two variants the second is better: more of a figure, or less of it.</summary>
/// <param name="claim">As the beginning of a sentence.</param>
/// <param name="effectOf">What the effect is a ratio of.</param>
internal abstract class GainTest(FindingKind kind, FindingRoles roles, string claim, string effectOf) : PairTest(kind, roles)
{
    public override string ClaimFor(FindingSpec finding) => ClaimText.Gain(claim, ThresholdOf(finding));

    /// <summary>Says by how much, such as <c>Direct wrote 1.5 times the documents per second of Gateway</c>.</summary>
    protected abstract string Statement(string ratio);

    /// <summary>The figure that is compared.</summary>
    protected virtual double? FigureOf(RunFigures figures) => figures.Rate;

    /// <summary>Whether less of the figure is better; the effect is then the first variant's over the second's.</summary>
    protected virtual bool LessIsBetter => false;

    public override FindingResult Judge(FindingCase given)
    {
        if (WhyNotTested(given) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        var (before, after) = (given.Baseline.Values(FigureOf), given.Changed.Values(FigureOf));
        if (before is null || after is null)
            return FindingResult.NotTested($"{effectOf.Split(',')[0]} was not measured in every run");

        var comparison = LessIsBetter ? Comparison.From(before, after) : Comparison.From(after, before);
        var interval = comparison.Interval95();
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = comparison.Ratio,
            EffectOf = effectOf,
            Interval95 = interval,
            Sentence = $"{Statement(ClaimText.Ratio(comparison.Ratio))}{ClaimText.Within(interval)}",
        };
        if (!comparison.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfGain(comparison.Effect, threshold);
        return Blocked(given, verdict) is { } reason
            ? outcome.UndecidedBecause(reason)
            : outcome with
            {
                Verdict = verdict,
                Interval90 = threshold == 1 ? comparison.Interval90 : null,
                Sentence = outcome.Sentence + Ending(verdict, comparison, threshold),
                Reason = verdict == FindingVerdict.Inconclusive ? $"the 95% interval straddles {ClaimText.Ratio(threshold)}" : null,
            };
    }

    /// <summary>A side that something from outside held back could do more: then only a verdict in spite of that stands.</summary>
    private string? Blocked(FindingCase given, FindingVerdict verdict) => verdict switch
    {
        FindingVerdict.Supported when CapOf(given.Baseline) is { } cap => $"{given.Baseline.Name} was held back by {ClaimText.Cap(cap)}",
        FindingVerdict.Refuted when CapOf(given.Changed) is { } cap => $"{given.Changed.Name} was held back by {ClaimText.Cap(cap)}",
        _ => null,
    };

    private static string Ending(FindingVerdict verdict, Comparison comparison, double threshold) => verdict switch
    {
        FindingVerdict.Supported =>
            Verdicts.Default.IsNoGain(comparison.Effect!) && threshold == 1 ? ": a real gain, though too small to matter." : ".",
        FindingVerdict.Inconclusive =>
            $": the noise hides whether that is more than {ClaimText.Ratio(threshold)}; "
                + $"{ClaimText.Repeats(comparison.RepeatsForGain(threshold), comparison.Repeats)}.",
        _ when threshold > 1 => $": less than the factor of {ClaimText.Ratio(threshold)} that is claimed.",
        _ when comparison.Effect!.At().LiesBelow(1) => ": worse, not better.",
        _ => ": no gain that matters.",
    };
}
