using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The effect is the fitted law's efficiency at the largest number of workers: its rate over the one in proportion to the workers.
/// Supported when the 95% interval lies below 1, refuted when it lies above the lower end of <see cref="Equivalence.NegligibleBand"/>.
/// </summary>
internal sealed class ScalabilityLawFinding : FindingTest
{
    public override FindingKind Kind => FindingKind.ScalabilityLaw;

    public override FindingRoles Roles { get; } = FindingRoles.Ladder(ScalabilityFit.FewestLevels, "number of workers");

    public override string ClaimFor(FindingSpec finding) =>
        "Workers hold each other up: by the Universal Scalability Law the rate grows less than in proportion to them.";

    public override string? ThresholdError(double threshold) => threshold == 1 ? null : "this claim has no threshold";

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        Ladders.Ascend(variants, spec => spec.Workers) ? null : "the variants must ascend in the number of workers";

    public override FindingOutcome Judge(FindingCase given)
    {
        var measured = given.Variants.Where(variant => variant.Usable.Count > 0).ToList();
        var fit = given.Fit;
        if (fit.Law is not { } law)
            return FindingOutcome.NotTested(fit.Reason!) with { Law = fit };

        var most = fit.MostWorkers;
        double Efficiency(ScalabilityLaw any) => any.EfficiencyAt(most);
        var interval = fit.IntervalOf(Efficiency);
        var outcome = new FindingOutcome
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = Efficiency(law),
            EffectOf = $"documents per second by the law, {most} workers / {most} x one worker",
            Interval95 = interval,
            Law = fit,
            Sentence = $"By the fitted law (alpha {Numbers.Brief(law.Alpha)}, beta {Numbers.Brief(law.Beta)}) {most} workers do "
                + $"{Numbers.Percent(Efficiency(law))} of what is in proportion"
                + $"{Say.Within(interval)}, {PeakText(fit)}",
            Notes = [.. Notes(fit)],
        };
        if (measured.Exists(variant => variant is { LeftOutOfScaling: null, IsRepeated: false }))
            return outcome with { Sentence = $"{outcome.Sentence}; without repeats that decides nothing.", Reason = Say.SingleRepeat };

        var deciding = fit.IntervalOf(Efficiency, given.Verdicts.Confidence);
        var negligible = Equivalence.NegligibleBand.Low;
        var verdict = deciding.LiesAbove(negligible) ? FindingVerdict.Refuted
            : deciding.LiesBelow(1) ? FindingVerdict.Supported
            : FindingVerdict.Inconclusive;
        return outcome with
        {
            Verdict = verdict,
            Reason = verdict == FindingVerdict.Inconclusive
                ? $"the 95% interval reaches from below {Say.Ratio(negligible)} to 1" : null,
            Sentence = outcome.Sentence + verdict switch
            {
                FindingVerdict.Supported => ": they do hold each other up.",
                FindingVerdict.Refuted => ": they hardly hold each other up.",
                _ => ": the noise hides whether they hold each other up; more repeats would decide.",
            },
        };
    }

    private static string PeakText(ScalabilityFit fit)
    {
        if (fit.ShownPeak is not { } peak)
            return fit.ShownLimit is { } limit
                ? $"and no number of them exceeds {Numbers.Brief(limit)} documents per second"
                : "and no limit shows";
        var text = $"and from about {Numbers.Brief(peak)} on more of them would lower the rate";
        return peak > fit.MostWorkers ? $"{text}, which is beyond what was measured" : text;
    }

    private static IEnumerable<string> Notes(ScalabilityFit fit) => fit.Points
        .Where(point => point.LeftOut is not null)
        .GroupBy(point => point.LeftOut!, StringComparer.Ordinal)
        .Select(group => $"The fit leaves out {string.Join(", ", group.Select(point => point.Workers).Distinct())} workers: {group.Key}.");

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Workers = 1 };
}
