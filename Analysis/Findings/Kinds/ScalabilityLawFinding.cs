namespace ScaleOut.Analysis.Findings.Kinds;

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
            return outcome.Decide(FindingVerdict.Inconclusive, "; without repeats that decides nothing", ClaimText.SingleRepeat);

        var deciding = fit.IntervalOf(Efficiency, given.Verdicts.Confidence);
        var negligible = Equivalence.NegligibleBand.Low;
        var verdict = deciding.LiesAbove(negligible) ? FindingVerdict.Refuted
            : deciding.LiesBelow(1) ? FindingVerdict.Supported
            : FindingVerdict.Inconclusive;
        return outcome.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => ": adding workers has diminishing returns",
                FindingVerdict.Refuted => ": adding workers has hardly any diminishing returns",
                _ => ": the noise hides whether adding workers has diminishing returns; more repeats would decide",
            },
            $"the 95% interval reaches from below {Numbers.Brief(negligible)} to 1");
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
