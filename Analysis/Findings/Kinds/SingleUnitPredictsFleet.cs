using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The largest fleet that neither the shared machine nor the account's budget bound decides; the others are reported beside it.
/// </summary>
internal sealed class SingleUnitPredictsFleet : FindingTest
{
    public override FindingKind Kind => FindingKind.SingleUnitPredictsFleet;

    public override FindingRoles Roles { get; } = FindingRoles.Ladder(2, "number of workers, the first with one");

    public override double DefaultThreshold => Equivalence.NegligibleFactor;

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("N workers write N times the documents per second of one", ThresholdOf(finding));

    public override string? ThresholdError(double threshold) =>
        threshold is > 1 and <= 2 ? null : FormattableString.Invariant($"{threshold} is out of range: above 1, at most 2");

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workers == 1 && Ladders.Ascend(variants, spec => spec.Workers)
            ? null
            : "the first variant must have 1 worker, the others ascending numbers of them";

    public override FindingOutcome Judge(FindingCase given)
    {
        var fleets = given.Variants.Skip(1).Where(variant => variant.Usable.Count > 0).ToList();
        if (Say.NothingMeasured(fleets.Count == 0 ? given.Variants : [given.Baseline]) is { } nothing)
            return FindingOutcome.NotTested(nothing);
        if (given.Baseline.LeftOutOfScaling is { } limit)
            return FindingOutcome.NotTested($"the single worker was {limit}");

        var fleet = fleets.Select(variant => Predict(given.Baseline, variant)).ToList();
        var decisive = fleet.FindLastIndex(prediction => prediction.LeftOut is null);
        if (decisive < 0)
            return FindingOutcome.NotTested(
                $"every fleet was {string.Join(" or ", fleet.Select(prediction => prediction.LeftOut).Distinct())}") with { Fleet = fleet };
        return Judge(given, fleets[decisive], fleet, fleet[decisive]);
    }

    private FindingOutcome Judge(FindingCase given, MeasuredVariant variant, List<FleetPrediction> fleet, FleetPrediction prediction)
    {
        var efficiency = Comparison.From(variant.Rates, given.Baseline.Rates).Times(1.0 / prediction.Workers);
        var outcome = new FindingOutcome
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = efficiency.Ratio,
            EffectOf = $"documents per second, {variant.Name} / {prediction.Workers} x {given.Baseline.Name}",
            Interval95 = efficiency.Interval95(),
            Interval90 = efficiency.Interval90,
            Fleet = fleet,
            Sentence = $"One worker's {Numbers.Brief(given.Baseline.TypicalRate)} documents per second predict "
                + $"{Numbers.Brief(prediction.Predicted)} for {prediction.Workers}; "
                + $"they wrote {Numbers.Brief(prediction.Measured)}, an efficiency of "
                + $"{Say.Ratio(efficiency.Ratio)}{Say.Within90(efficiency.Interval90)}",
            Notes = [.. Notes(given, fleet)],
        };
        if (!efficiency.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var factor = ThresholdOf(given.Spec);
        var verdict = given.Verdicts.OfSameness(efficiency.Effect, factor);
        var band = $"{Say.Ratio(1 / factor)} to {Say.Ratio(factor)}";
        return outcome with
        {
            Verdict = verdict,
            Reason = verdict == FindingVerdict.Inconclusive ? $"the 90% interval straddles an end of {band}" : null,
            Sentence = outcome.Sentence + verdict switch
            {
                FindingVerdict.Supported => ": the single worker predicts the fleet.",
                FindingVerdict.Refuted when efficiency.Ratio < 1 => ": the fleet falls short of the prediction.",
                FindingVerdict.Refuted => ": the fleet exceeds the prediction.",
                _ =>
                    $": the noise hides whether that is within {band}; "
                        + $"{Say.Repeats(efficiency.RepeatsForSameness(factor), efficiency.Repeats)}.",
            },
        };
    }

    private static FleetPrediction Predict(MeasuredVariant single, MeasuredVariant fleet)
    {
        var (workers, comparison) = (fleet.Spec.Workers, Comparison.From(fleet.Rates, single.Rates));
        return new FleetPrediction
        {
            Variant = fleet.Name,
            Workers = workers,
            Predicted = workers * single.TypicalRate,
            Measured = fleet.TypicalRate,
            Efficiency = comparison.Ratio / workers,
            Interval95 = comparison.Times(1.0 / workers).Interval95(),
            LeftOut = fleet.LeftOutOfScaling,
        };
    }

    private static IEnumerable<string> Notes(FindingCase given, List<FleetPrediction> fleet)
    {
        foreach (var prediction in fleet.Where(prediction => prediction.LeftOut is not null))
            yield return $"{prediction.Variant} does not count: it was {prediction.LeftOut}.";
        if (given.Variants.All(variant => variant.Cap == Reports.BoundBy.Rate))
            yield return "Every worker was asked for a fixed rate and kept it: that says that fleets of these sizes hold it, not what they "
                + "could do at most.";
    }

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Workers = 1 };
}
