using System.Globalization;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The step with the highest rate against the last one. As it is picked from all steps before the last, its interval is wide enough for all
/// of them together.
/// </summary>
internal sealed class FallsAfterPeak : FindingTest
{
    private const int FewestSteps = 3;

    public override FindingKind Kind => FindingKind.FallsAfterPeak;

    public override bool ComparesRates => false;

    public override FindingRoles Roles { get; } = FindingRoles.One("a step load");

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Under a load that rises in steps the throughput falls after its peak", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => variants[0].Workload.Steps?.Count >= FewestSteps
        ? null
        : $"the variant must have a load of {FewestSteps} or more steps";

    public override FindingOutcome Judge(FindingCase given)
    {
        if ((Say.NothingMeasured(given.Variants) ?? ScaleOutRuns.BoundByMachine(given.Variants)) is { } obstacle)
            return FindingOutcome.NotTested(obstacle);
        var steps = Enumerable.Range(0, given.Baseline.Spec.Workload.Steps!.Count)
            .Select(step => given.Baseline.Values(figures => figures.RateOfStep(step))).ToList();
        if (steps.FindIndex(step => step is null) is >= 0 and var missing)
            return FindingOutcome.NotTested(
                string.Create(CultureInfo.InvariantCulture, $"step {missing + 1} of {steps.Count} was not measured in every run"));

        var last = steps[^1]!;
        var before = steps.SkipLast(1).Select((rates, step) => (Step: step, Fall: Comparison.From(rates!, last))).ToList();
        var peak = before.MaxBy(one => one.Fall.Ratio);
        var interval = peak.Fall.Interval95(before.Count);
        var outcome = new FindingOutcome
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = peak.Fall.Ratio,
            EffectOf = "operations per second, highest step before the last / last step",
            Interval95 = interval,
            Sentence = string.Create(
                CultureInfo.InvariantCulture,
                $"Step {peak.Step + 1} of {steps.Count} did {Say.Ratio(peak.Fall.Ratio)} times the operations per second of the "
                    + $"last{Say.Within(interval)}"),
        };
        return peak.Fall.IsRepeated
            ? Decide(outcome, given.Verdicts.OfGain(peak.Fall.Effect!, ThresholdOf(given.Spec), before.Count), ThresholdOf(given.Spec))
            : outcome.UndecidedBySingleRepeat();
    }

    private static FindingOutcome Decide(FindingOutcome outcome, FindingVerdict verdict, double threshold) => outcome with
    {
        Verdict = verdict,
        Reason = verdict == FindingVerdict.Inconclusive ? $"the 95% interval straddles {Say.Ratio(threshold)}" : null,
        Sentence = outcome.Sentence + verdict switch
        {
            FindingVerdict.Supported => ": it falls after its peak.",
            FindingVerdict.Refuted when threshold == 1 => ": it does not fall.",
            FindingVerdict.Refuted => $": it does not fall by a factor of {Say.Ratio(threshold)}.",
            _ => ": the noise hides whether it falls; more repeats would decide.",
        },
    };

    protected override RunSpec WithoutAspect(RunSpec spec) => spec;
}
