namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The claim has two parts. Some level is better than the lowest; the comparisons with the lowest level hold together at 95%. And no level
/// above the peak that the search found is better than the peak by more than a negligible factor.
/// </summary>
internal sealed class ConcurrencyPeak() : FindingTest(FindingKind.ConcurrencyPeak, FindingRoles.Ladder(3, "concurrency"))
{
    public override string ClaimFor(FindingSpec finding) => "More operations in flight write more documents per second, up to a peak.";

    public override bool HasThreshold => false;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => AscendingVariants.Ascend(variants, MeasuredVariant.ConcurrencyOf)
        ? null
        : "the variants must ascend in operations in flight";

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } unusable)
            return FindingResult.NotTested(unusable);
        if (given.Baseline.Cap is { } alike && given.Variants.All(variant => variant.Cap == alike))
            return FindingResult.NotTested($"every variant was bound by {Words.From(alike)}, which set the rate of all");

        var search = PeakSearch.Over(
            [.. given.Variants.Select(variant => new PeakLevel(variant.Concurrency, variant.Rates))], given.Verdicts.Confidence);
        var peak = given.Variants[search.Index];
        var best = search.Index > 0 ? peak : given.Variants.Skip(1).MaxBy(variant => variant.TypicalRate)!;
        var gain = Comparison.From(best.Rates, given.Baseline.Rates);
        var comparisons = given.Variants.Count - 1;
        var outcome = gain.ToFinding(
            $"documents per second, {best.Name} / {given.Baseline.Name}",
            $"{Numbers.Count((long)best.Concurrency)} operations in flight wrote {Numbers.Brief(gain.Ratio)} times the documents per "
                + $"second of {Numbers.Count((long)given.Baseline.Concurrency)}",
            comparisons) with
        {
            Predicted = PredictedRate.Ratio(given.Baseline.Spec, best.Spec),
        };
        if (!given.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var above = given.Variants.Skip(search.Index + 1).ToList();
        var confirmed = above.Count > 0 && above.TrueForAll(level => given.Verdicts.IsNoGain(Compare(level, peak)));
        outcome = outcome with
        {
            Peak = new PeakFinding
            {
                Variant = peak.Name,
                Concurrency = peak.Concurrency,
                Rate = peak.TypicalRate,
                Confirmed = confirmed,
                Steps = search.Steps,
            },
        };
        return search.Index > 0 && given.Verdicts.OfGain(gain.Effect!, comparisons: comparisons) == FindingVerdict.Supported
            ? Peaked(outcome, peak, above, confirmed)
            : NotHelped(outcome, given);
    }

    /// <summary>Reports the highest level whose measured interval does not contain the ratio that the parameters predict for it.</summary>
    public override Assumption FollowsFrom(FindingCase given)
    {
        var beside = given.Variants.Skip(1).Where(level => level.IsRepeated && given.Baseline.IsRepeated).Select(level =>
        (
            level.Concurrency, Predicted: PredictedRate.Ratio(given.Baseline.Spec, level.Spec),
            Measured: Comparison.From(level.Rates, given.Baseline.Rates).Interval95(given.Variants.Count - 1)
        )).LastOrDefault(level => level is { Predicted: { } predicted, Measured: { } interval } && !interval.Contains(predicted));
        return new Assumption(PredictedFrom, Predicted: null)
        {
            Unpredicted = beside is { Predicted: { } other, Measured: { } measured }
                ? $"The parameters alone predict {Numbers.Brief(other)} x at {Numbers.Count((long)beside.Concurrency)} in flight, where "
                    + $"{Numbers.Brief(measured.Low)} to {Numbers.Brief(measured.High)} x was measured."
                : null,
        };
    }

    /// <summary>A gain alone does not show a peak.</summary>
    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) => effect > 1 ? null : FindingVerdict.Refuted;

    private static FindingResult Peaked(FindingResult outcome, MeasuredVariant peak, List<MeasuredVariant> above, bool confirmed)
    {
        if (above.Count == 0)
            return outcome.UndecidedBecause("the rate still rose at the highest concurrency, so the peak was not reached");

        // If a budget stops the rate from rising, the client's concurrency has no peak there.
        if (above.Append(peak).FirstOrDefault(level => level.Cap is not null) is { } held)
        {
            return outcome.UndecidedBecause(
                $"{held.Name} was bound by {Words.From(held.Cap)}, so it is not concurrency that ends the rise");
        }

        if (!confirmed)
        {
            return outcome.UndecidedBecause(
                $"the noise hides whether more than {Numbers.Count((long)peak.Concurrency)} would help further");
        }

        return outcome.Decide(
            FindingVerdict.Supported,
            $"; that is the peak: more in flight, up to {Numbers.Count((long)above[^1].Concurrency)}, wrote no more");
    }

    private static FindingResult NotHelped(FindingResult outcome, FindingCase given)
    {
        var none = given.Variants.Skip(1).All(level => level.Cap is null && given.Verdicts.IsNoGain(Compare(level, given.Baseline)));
        const string Noise = "the noise hides whether any level beats the lowest";
        return none
            ? outcome.Decide(FindingVerdict.Refuted, ": no level gains anything that matters over the lowest")
            : outcome.Decide(FindingVerdict.Inconclusive, $"; {Noise}", Noise);
    }

    private static RatioEffect Compare(MeasuredVariant level, MeasuredVariant with) => RatioEffect.From(level.Rates, with.Rates)!;

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Concurrency = null } };
}
