namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>A claim that two variants do the same but for a negligible factor.</summary>
internal abstract class SamenessTest : PairTest
{
    private const double LargestFactor = 2;

    /// <summary>Says by how much they differ, such as <c>Eventual did 1.01 times the documents per second of Session</c>.</summary>
    protected abstract string Statement(FindingCase given, string ratio);

    /// <summary>Added to every sentence: what a reader should know of the matter itself; empty for nothing.</summary>
    protected virtual string Remark => "";

    public override double DefaultThreshold => Equivalence.NegligibleFactor;

    public override string? ThresholdError(double threshold) => threshold is > 1 and <= LargestFactor
        ? null
        : string.Create(CultureInfo.InvariantCulture, $"{threshold} is out of range: above 1, at most {LargestFactor}");

    public override FindingOutcome Judge(FindingCase given)
    {
        if (WhyNotTested(given) is { } obstacle)
            return With(Remark, FindingOutcome.NotTested(obstacle));

        var comparison = Comparison.From(given.Changed.Rates, given.Baseline.Rates);
        var outcome = new FindingOutcome
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = comparison.Ratio,
            EffectOf = $"documents per second, {given.Changed.Name} / {given.Baseline.Name}",
            Interval95 = comparison.Interval95(),
            Interval90 = comparison.Interval90,
            Sentence = $"{Statement(given, Say.Ratio(comparison.Ratio))}{Say.Within90(comparison.Interval90)}",
        };
        return With(Remark, Decide(given, comparison, outcome));
    }

    private FindingOutcome Decide(FindingCase given, Comparison comparison, FindingOutcome outcome)
    {
        if (!comparison.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var factor = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfSameness(comparison.Effect, factor);
        if (Blocked(given, verdict, comparison.Ratio) is { } reason)
            return outcome with { Sentence = $"{outcome.Sentence}, but {reason}.", Reason = reason };

        var band = $"{Say.Ratio(1 / factor)} to {Say.Ratio(factor)}";
        return outcome with
        {
            Verdict = verdict,
            Reason = verdict == FindingVerdict.Inconclusive ? $"the 90% interval straddles an end of {band}" : null,
            Sentence = outcome.Sentence + verdict switch
            {
                FindingVerdict.Supported => $": the same within {band}.",
                FindingVerdict.Refuted => ": a difference that matters.",
                _ =>
                    $": the noise hides whether that is within {band}; "
                        + $"{Say.Repeats(comparison.RepeatsForSameness(factor), comparison.Repeats)}.",
            },
        };
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
            ? $"{held.Name} was held back by {Say.Cap(CapOf(held)!.Value)}"
            : null;
    }

    private static FindingOutcome With(string remark, FindingOutcome outcome) =>
        remark.Length == 0 ? outcome : outcome with { Sentence = $"{outcome.Sentence} {remark}" };
}
