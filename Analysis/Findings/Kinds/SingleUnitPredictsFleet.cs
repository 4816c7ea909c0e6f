namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The verdict is about the largest fleet that neither the shared machine nor the account's RU/s limited. Others are reported beside it.
/// </summary>
internal sealed class SingleUnitPredictsFleet() : FindingTest(
    FindingKind.SingleUnitPredictsFleet, FindingRoles.Ladder(2, "number of workers, the first with one"))
{
    public override bool IsSameness => true;

    public override string ClaimFor(FindingSpec finding) =>
        ClaimText.Sameness("N workers write N times the documents per second of one", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workers == 1 && AscendingVariants.Ascend(variants, spec => spec.Workers)
            ? null
            : "the first variant must have 1 worker, the others ascending numbers of them";

    public override FindingResult Judge(FindingCase given)
    {
        var fleets = given.Variants.Skip(1).Where(variant => variant.Usable.Count > 0).ToList();
        if ((fleets.Count == 0 ? given.NothingMeasured : given.Baseline.NothingUsable) is { } nothing)
            return FindingResult.NotTested(nothing);
        if (given.Baseline.LeftOutOfScaling is { } limit)
            return FindingResult.NotTested($"the single worker was {limit}");

        var fleet = fleets.Select(variant => Predict(given.Baseline, variant)).ToList();
        var decisive = fleet.FindLastIndex(prediction => prediction.LeftOut is null);
        if (decisive < 0)
            return FindingResult.NotTested(
                $"every fleet was {string.Join(" or ", fleet.Select(prediction => prediction.LeftOut).Distinct())}") with
            {
                Fleet = fleet,
            };
        return Judge(given, fleets[decisive], fleet, fleet[decisive]);
    }

    private FindingResult Judge(FindingCase given, MeasuredVariant variant, List<FleetPrediction> fleet, FleetPrediction prediction)
    {
        var efficiency = Comparison.From(variant.Rates, given.Baseline.Rates).Times(1.0 / prediction.Workers);
        var outcome = efficiency.ToSamenessFinding(
            $"documents per second, {variant.Name} / {prediction.Workers} x {given.Baseline.Name}",
            $"One worker's {Numbers.Brief(given.Baseline.TypicalRate)} documents per second predict "
                + $"{Numbers.Brief(prediction.Predicted)} for {prediction.Workers}; they wrote {Numbers.Brief(prediction.Measured)}, "
                + $"an efficiency of {Numbers.Brief(efficiency.Ratio)}") with
        {
            Predicted = PredictedRate.Ratio(given.Baseline.Spec, variant.Spec) / prediction.Workers,
            Fleet = fleet,
            Notes = [.. Notes(given, fleet)],
        };
        if (!efficiency.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var factor = ThresholdOf(given.Spec);
        return outcome.DecideSameness(
            given.Verdicts.OfSameness(efficiency.Effect, factor), efficiency, factor, _ => "the single worker predicts the fleet",
            efficiency.Ratio < 1 ? "the fleet falls short of the prediction" : "the fleet exceeds the prediction");
    }

    public override Assumption FollowsFrom(FindingCase given) => new(PredictedFrom, Predicted: null);

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
            yield return "Every worker was asked for a fixed rate and kept it. This shows that fleets of these sizes keep that rate, not "
                + "what they could do at most.";
    }

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Workers = 1 };
}
