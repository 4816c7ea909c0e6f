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
            return FindingResult.NotTested($"every variant was bound by {ClaimText.Cap(alike)}, which set the rate of all");

        var search = PeakSearch.Over(
            [.. given.Variants.Select(variant => new PeakLevel(variant.Concurrency, variant.Rates))], given.Verdicts.Confidence);
        var peak = given.Variants[search.Index];
        var best = search.Index > 0 ? peak : given.Variants.Skip(1).MaxBy(variant => variant.TypicalRate)!;
        var gain = Comparison.From(best.Rates, given.Baseline.Rates);
        var comparisons = given.Variants.Count - 1;
        var outcome = gain.ToFinding(
            $"documents per second, {best.Name} / {given.Baseline.Name}",
            $"{Numbers.Count((long)best.Concurrency)} operations in flight wrote {ClaimText.Ratio(gain.Ratio)} times the documents per "
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

    /// <summary>If the parameters do not predict the peak, the levels above it differ from what they predict.</summary>
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
                ? $"The parameters alone predict {ClaimText.Ratio(other)} x at {Numbers.Count((long)beside.Concurrency)} in flight, where "
                    + $"{ClaimText.Ratio(measured.Low)} to {ClaimText.Ratio(measured.High)} x was measured."
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
                $"{held.Name} was bound by {ClaimText.Cap(held.Cap!.Value)}, so it is not concurrency that ends the rise");
        }

        if (!confirmed)
        {
            return outcome.UndecidedBecause(
                $"the noise hides whether more than {Numbers.Count((long)peak.Concurrency)} would help further");
        }

        return outcome.Decide(
            FindingVerdict.Supported,
            $"; that is the peak: more in flight, up to {Numbers.Count((long)above[^1].Concurrency)}, wrote no more.");
    }

    private static FindingResult NotHelped(FindingResult outcome, FindingCase given)
    {
        var none = given.Variants.Skip(1).All(level => level.Cap is null && given.Verdicts.IsNoGain(Compare(level, given.Baseline)));
        const string Noise = "the noise hides whether any level beats the lowest";
        return none
            ? outcome.Decide(FindingVerdict.Refuted, ": no level gains anything that matters over the lowest.")
            : outcome.Decide(FindingVerdict.Inconclusive, $"; {Noise}.", Noise);
    }

    private static RatioEffect Compare(MeasuredVariant level, MeasuredVariant with) => RatioEffect.From(level.Rates, with.Rates)!;

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Concurrency = null } };
}

/// <summary>
/// Compares the step with the highest rate with the last step. That step is chosen from all steps before the last, so its interval is wide
/// enough for all of them together.
/// </summary>
internal sealed class FallsAfterPeak() : FindingTest(FindingKind.FallsAfterPeak, FindingRoles.One("a step load"))
{
    private const int MinSteps = 3;

    public override string RestsOn =>
        "the machine was equally fast in every step: the steps follow each other in the same order in every run, so a machine that "
            + "becomes slower within each run looks like a fall";

    public override bool ComparesRates => false;

    public override string ClaimFor(FindingSpec finding) =>
        ClaimText.Gain("Under a load that rises in steps the throughput falls after its peak", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => variants[0].Workload.Steps?.Count >= MinSteps
        ? null
        : $"the variant must have a load of {MinSteps} or more steps";

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } obstacle)
            return FindingResult.NotTested(obstacle);
        var steps = Enumerable.Range(0, given.Baseline.Spec.Workload.Steps!.Count)
            .Select(step => given.Baseline.Values(figures => figures.RateOfStep(step))).ToList();
        if (steps.FindIndex(step => step is null) is >= 0 and var missing)
            return FindingResult.NotTested(
                string.Create(CultureInfo.InvariantCulture, $"step {missing + 1} of {steps.Count} was not measured in every run"));

        var last = steps[^1]!;
        var before = steps.SkipLast(1).Select((rates, step) => (Step: step, Fall: Comparison.From(rates!, last))).ToList();
        var peak = before.MaxBy(one => one.Fall.Ratio);
        var outcome = peak.Fall.ToFinding(
            "operations per second, highest step before the last / last step",
            string.Create(
                CultureInfo.InvariantCulture,
                $"Step {peak.Step + 1} of {steps.Count} did {ClaimText.Ratio(peak.Fall.Ratio)} times the operations per second of the "
                    + $"last"),
            before.Count) with
        {
            Predicted = PredictedRate.OfStep(given.Baseline.Spec, peak.Step) / PredictedRate.OfStep(given.Baseline.Spec, before.Count),
        };
        if (!peak.Fall.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfGain(peak.Fall.Effect!, threshold, before.Count);
        return outcome.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => ": it falls after its peak.",
                FindingVerdict.Refuted when threshold == 1 => ": it does not fall.",
                FindingVerdict.Refuted => $": it does not fall by a factor of {ClaimText.Ratio(threshold)}.",
                _ => ": the noise hides whether it falls; more repeats would decide.",
            },
            $"the 95% interval straddles {ClaimText.Ratio(threshold)}");
    }

    public override string PredictedFrom => "operations in flight and latency of the steps, and RU/s";

    public override Assumption FollowsFrom(FindingCase given) => new(PredictedFrom, Predicted: null);
}
