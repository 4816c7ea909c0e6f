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
                $"every fleet was {string.Join(" or ", fleet.Select(prediction => prediction.LeftOut).Distinct())}") with { Fleet = fleet };
        return Judge(given, fleets[decisive], fleet, fleet[decisive]);
    }

    private FindingResult Judge(FindingCase given, MeasuredVariant variant, List<FleetPrediction> fleet, FleetPrediction prediction)
    {
        var efficiency = Comparison.From(variant.Rates, given.Baseline.Rates).Times(1.0 / prediction.Workers);
        var outcome = efficiency.ToSamenessFinding(
            $"documents per second, {variant.Name} / {prediction.Workers} x {given.Baseline.Name}",
            $"One worker's {Numbers.Brief(given.Baseline.TypicalRate)} documents per second predict "
                + $"{Numbers.Brief(prediction.Predicted)} for {prediction.Workers}; they wrote {Numbers.Brief(prediction.Measured)}, "
                + $"an efficiency of {ClaimText.Ratio(efficiency.Ratio)}") with
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

/// <summary>
/// The effect is the efficiency of the fitted law at the largest number of workers: the law's rate there, divided by that number times the
/// rate of one worker. The claim is supported if the 95% interval lies below 1, and refuted if it lies above the lower end of
/// <see cref="Equivalence.NegligibleBand"/>.
/// </summary>
internal sealed class ScalabilityLawFinding() : FindingTest(
    FindingKind.ScalabilityLaw, FindingRoles.Ladder(ScalabilityFit.MinLevels, "number of workers"))
{
    public override string ClaimFor(FindingSpec finding) =>
        "Adding workers has diminishing returns: by the Universal Scalability Law the rate grows less than in proportion to them.";

    public override bool HasThreshold => false;

    public override string RestsOn =>
        $"{TurnsTaken}; and the rates follow the law except for a deviation of each number of workers";

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        AscendingVariants.Ascend(variants, spec => spec.Workers) ? null : "the variants must ascend in the number of workers";

    public override FindingResult Judge(FindingCase given)
    {
        var measured = given.Variants.Where(variant => variant.Usable.Count > 0).ToList();
        var fit = given.Fit;
        if (fit.Law is not { } law)
            return FindingResult.NotTested(fit.Reason!) with { Law = fit };

        var most = fit.MaxWorkers;
        double Efficiency(ScalabilityLaw any) => any.EfficiencyAt(most);
        var interval = fit.IntervalOf(Efficiency);
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = Efficiency(law),
            EffectOf = $"documents per second by the law, {most} workers / {most} x one worker",
            Interval95 = interval,
            Predicted = PredictedEfficiency(given, most),
            Law = fit,
            Sentence = $"By the fitted law (alpha {Numbers.Brief(law.Alpha)}, beta {Numbers.Brief(law.Beta)}) {most} workers do "
                + $"{Numbers.Percent(Efficiency(law))} of {most} times the rate of one{ClaimText.Within(interval)}, {PeakText(fit)}",
            Notes = [.. Notes(fit)],
        };
        if (measured.Exists(variant => variant is { LeftOutOfScaling: null, IsRepeated: false }))
            return outcome.Decide(FindingVerdict.Inconclusive, "; without repeats that decides nothing.", ClaimText.SingleRepeat);

        var deciding = fit.IntervalOf(Efficiency, given.Verdicts.Confidence);
        var negligible = Equivalence.NegligibleBand.Low;
        var verdict = deciding.LiesAbove(negligible) ? FindingVerdict.Refuted
            : deciding.LiesBelow(1) ? FindingVerdict.Supported
            : FindingVerdict.Inconclusive;
        return outcome.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => ": adding workers has diminishing returns.",
                FindingVerdict.Refuted => ": adding workers has hardly any diminishing returns.",
                _ => ": the noise hides whether adding workers has diminishing returns; more repeats would decide.",
            },
            $"the 95% interval reaches from below {ClaimText.Ratio(negligible)} to 1");
    }

    public override Assumption FollowsFrom(FindingCase given) => new(PredictedFrom, Predicted: null);

    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) =>
        effect < Equivalence.NegligibleBand.Low ? FindingVerdict.Supported : FindingVerdict.Refuted;

    private static double? PredictedEfficiency(FindingCase given, int workers)
    {
        var spec = given.Variants.First(variant => variant.Spec.Workers == workers).Spec;
        return PredictedRate.Ratio(spec with { Workers = 1 }, spec) / workers;
    }

    private static string PeakText(ScalabilityFit fit)
    {
        if (fit.ShownPeak is not { } peak)
            return fit.ShownLimit is { } limit
                ? $"and no number of them exceeds {Numbers.Brief(limit)} documents per second"
                : "and no limit shows";
        var text = $"and from about {Numbers.Brief(peak)} on more of them would lower the rate";
        return peak > fit.MaxWorkers ? $"{text}, which is beyond what was measured" : text;
    }

    private static IEnumerable<string> Notes(ScalabilityFit fit) => fit.Points
        .Where(point => point.LeftOut is not null)
        .GroupBy(point => point.LeftOut!, StringComparer.Ordinal)
        .Select(group => $"The fit leaves out {string.Join(", ", group.Select(point => point.Workers).Distinct())} workers: {group.Key}.");

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Workers = 1 };
}

internal sealed class InstancesLikeCores() : SamenessTest(
    FindingKind.InstancesLikeCores, FindingRoles.Pair("few workers with more cores each", "more workers with fewer cores each"),
    "More client instances have the same effect as more cores")
{
    public override bool IsAboutTheMachine => true;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workers > variants[0].Workers ? null : "the second variant must have more workers than the first";

    protected override string Statement(FindingCase given, string ratio) =>
        $"{given.Changed.Spec.Workers} workers with fewer cores wrote {ratio} times the documents per second of "
        + $"{given.Baseline.Spec.Workers} with more";

    protected override string? Obstacle(FindingCase given)
    {
        if (given.BoundByMachine is { } bound)
            return bound;
        var (few, many) = (given.Baseline.Cores * given.Baseline.Spec.Workers, given.Changed.Cores * given.Changed.Spec.Workers);
        return few is not null && many is not null && few != many
            ? $"the variants had {few} and {many} cores in all; they must have the same"
            : null;
    }

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workers = 1, Client = spec.Client with { Concurrency = null, Cores = null } };
}

internal sealed class MoreCores() : GainTest(
    FindingKind.MoreCores, FindingRoles.Pair("fewer cores", "more cores"), "More cores per worker give more documents per second",
    "documents per second, more cores / fewer cores")
{
    public override bool IsAboutTheMachine => true;

    protected override string Statement(string ratio) => $"More cores gave {ratio} times the documents per second";

    protected override string? Obstacle(FindingCase given)
    {
        if (given.BoundByMachine is { } bound)
            return bound;
        var (fewer, more) = (given.Baseline.Cores, given.Changed.Cores);
        return fewer is not null && more is not null && more <= fewer
            ? $"the workers of {given.Baseline.Name} had {fewer} cores each, those of {given.Changed.Name} {more}: not more"
            : null;
    }

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Cores = null } };
}
