namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// A claim that holds a figure of one variant against a limit, the threshold. The effect is the figure over the limit, or the limit over
/// the figure if the figure must be less, so the claim holds above 1.
/// </summary>
internal sealed class LimitTest(FindingKind kind, string variant) : FindingTest(kind, FindingRoles.One(variant))
{
    /// <summary>Smallest standard deviation of a figure, such as a percentile of a histogram, as a share.</summary>
    private const double Resolution = 0.01;

    public override string RestsOn { get; init; } =
        "the machine did not drift: there is no other variant to compare with, so changes from run to run do not cancel out. The interval "
            + $"allows for neighbouring runs that resemble each other with a correlation of {CorrelatedMean.AllowedFor}; with one of 0.9 "
            + "up to 19% of the verdicts can be wrong, with a steady trend half of them";

    public override bool ComparesRates { get; init; }

    public override bool IsAboutLatency { get; init; } = true;

    /// <summary>The claim as a sentence, with the limit.</summary>
    public required Func<double, string> Claim { get; init; }

    /// <summary>Name of the figure, such as <c>99th percentile of the latency</c>.</summary>
    public required string Figure { get; init; }

    public required Func<RunFigures, double?> FigureOf { get; init; }

    /// <summary>Whether the claim is that the figure is less than the limit, rather than more. Default false.</summary>
    public bool MustBeLess { get; init; }

    /// <summary>Whether the figure is a share, so that its limit lies between 0 and 1. Default false.</summary>
    public bool IsShare { get; init; }

    /// <summary>Unit of the figure, with a space before it. Default none.</summary>
    public string Unit { get; init; } = "";

    /// <summary>States the figure, such as <c>99% of the operations took at most 8 ms</c>.</summary>
    public required Func<string, string> Statement { get; init; }

    /// <summary>Why the variant's spec cannot test the claim. Null if it can.</summary>
    public required Func<RunSpec, string?> MisfitOf { get; init; }

    /// <summary>Why the measured runs cannot test the claim. Null if they can.</summary>
    public required Func<MeasuredVariant, string?> Obstacle { get; init; }

    /// <summary>The parameters of the simulated account, and the effect that they alone predict for a spec and a limit.</summary>
    public required Func<RunSpec, double, Assumption?> Prediction { get; init; }

    /// <summary>What a reader must know about the figure of such a spec. Null if nothing.</summary>
    public Func<RunSpec, string?> NoteOn { get; init; } = _ => null;

    public override string ClaimFor(FindingSpec finding) => Claim(ThresholdOf(finding));

    public override string? ThresholdError(double threshold)
    {
        if (!IsShare)
            return base.ThresholdError(threshold);
        return threshold is > 0 and < 1 ? null : $"{threshold} is out of range: above 0, below 1";
    }

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => MisfitOf(variants[0]);

    public override Assumption? FollowsFrom(FindingCase given) => Prediction(given.Baseline.Spec, ThresholdOf(given.Spec));

    public override FindingResult Judge(FindingCase given)
    {
        if ((given.Unusable ?? Obstacle(given.Baseline)) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        if (given.Baseline.Values(FigureOf) is not { } values)
            return FindingResult.NotTested($"the {Figure} was not measured in every run");

        var (limit, sample) = (ThresholdOf(given.Spec), LogSample.From(values));
        var text = TextOf(limit);
        var ratio = MustBeLess ? limit / sample.GeometricMean : sample.GeometricMean / limit;
        var effect = EffectOf(sample, ratio);
        var interval = effect?.At();
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = ratio,
            EffectOf = MustBeLess ? $"{text} / {Figure}" : $"{Figure} / {text}",
            Interval95 = interval,
            Sentence = Statement(TextOf(sample.GeometricMean))
                + ClaimText.Within((MustBeLess ? interval?.Inverse() : interval)?.Times(limit)),
            Notes = NoteOn(given.Baseline.Spec) is { } note ? [note] : [],
        };
        if (effect?.At(given.Verdicts.Confidence) is not { } decisive)
            return outcome.UndecidedBySingleRepeat();

        var verdict = decisive.LiesAbove(1) ? FindingVerdict.Supported
            : decisive.LiesBelow(1) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
        var (claimed, opposite) = MustBeLess ? ("less", "more") : ("more", "less");
        return outcome.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => $": {claimed} than {text}",
                FindingVerdict.Refuted => $": {opposite} than {text}",
                _ => $": the noise hides whether that is {claimed} than {text}",
            },
            $"the 95% interval contains {text}");
    }

    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) =>
        effect > 1 ? FindingVerdict.Supported : FindingVerdict.Refuted;

    private string TextOf(double value) => Numbers.Brief(value) + Unit;

    /// <summary>
    /// The effect with its uncertainty. Null for a single repeat. Even equal figures are only known to their resolution.
    /// </summary>
    private static RatioEffect? EffectOf(LogSample sample, double ratio)
    {
        if (sample.Count < RatioEffect.MinValues)
            return null;
        var (factor, freedom) = CorrelatedMean.From(sample.Count, CorrelatedMean.AllowedFor);
        return new RatioEffect
        {
            Ratio = ratio,
            StandardError = Math.Sqrt(Math.Max(factor * sample.Variance, Resolution * Resolution) / sample.Count),
            DegreesOfFreedom = freedom,
        };
    }
}
