namespace ScaleOut.Analysis.Findings.Kinds;

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
                $"step {missing + 1} of {steps.Count} was not measured in every run");

        var last = steps[^1]!;
        var before = steps.SkipLast(1).Select((rates, step) => (Step: step, Fall: Comparison.From(rates!, last))).ToList();
        var peak = before.MaxBy(one => one.Fall.Ratio);
        var outcome = peak.Fall.ToFinding(
            "operations per second, highest step before the last / last step",
            $"Step {peak.Step + 1} of {steps.Count} did {Numbers.Brief(peak.Fall.Ratio)} times the operations per second of the "
                    + $"last",
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
                FindingVerdict.Supported => ": it falls after its peak",
                FindingVerdict.Refuted when threshold == 1 => ": it does not fall",
                FindingVerdict.Refuted => $": it does not fall by a factor of {Numbers.Brief(threshold)}",
                _ => ": the noise hides whether it falls; more repeats would decide",
            },
            $"the 95% interval straddles {Numbers.Brief(threshold)}");
    }

    public override string PredictedFrom => "operations in flight and latency of the steps, and RU/s";

    public override Assumption FollowsFrom(FindingCase given) => new(PredictedFrom, Predicted: null);
}
