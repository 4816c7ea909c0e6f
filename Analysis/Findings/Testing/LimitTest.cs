namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// A claim that holds a figure of one variant against a limit, the threshold. The effect is the figure over the limit, or the limit over
/// the figure if the figure must be less, so the claim holds above 1.
/// </summary>
/// <param name="figure">Name of the figure, such as <c>99th percentile of the latency</c>.</param>
/// <param name="mustBeLess">Whether the claim is that the figure is less than the limit, rather than more.</param>
internal abstract class LimitTest(FindingKind kind, FindingRoles roles, string figure, bool mustBeLess) : FindingTest(kind, roles)
{
    /// <summary>Smallest standard deviation of a figure, such as a percentile of a histogram, as a share.</summary>
    private const double Resolution = 0.01;

    public override string RestsOn =>
        "the machine did not drift: there is no other variant to compare with, so changes from run to run do not cancel out. The interval "
            + $"allows for neighbouring runs that resemble each other with a correlation of {CorrelatedMean.AllowedFor}; with one of 0.9 "
            + "up to 19% of the verdicts can be wrong, with a steady trend half of them";

    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

    protected abstract double? FigureOf(RunFigures figures);

    /// <summary>States the figure, such as <c>99% of the operations took at most 8 ms</c>.</summary>
    protected abstract string Statement(string value);

    /// <summary>Why the measured runs cannot test the claim. Null if they can.</summary>
    protected abstract string? Obstacle(MeasuredVariant variant);

    /// <summary>A figure or the limit, with its unit.</summary>
    protected virtual string TextOf(double value) => ClaimText.Ratio(value);

    public override FindingResult Judge(FindingCase given)
    {
        if ((given.Unusable ?? Obstacle(given.Baseline)) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        if (given.Baseline.Values(FigureOf) is not { } values)
            return FindingResult.NotTested($"the {figure} was not measured in every run");

        var (limit, sample) = (ThresholdOf(given.Spec), LogSample.From(values));
        var text = TextOf(limit);
        var ratio = mustBeLess ? limit / sample.GeometricMean : sample.GeometricMean / limit;
        var effect = EffectOf(sample, ratio);
        var interval = effect?.At();
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = ratio,
            EffectOf = mustBeLess ? $"{text} / {figure}" : $"{figure} / {text}",
            Interval95 = interval,
            Sentence = Statement(TextOf(sample.GeometricMean))
                + ClaimText.Within((mustBeLess ? interval?.Inverse() : interval)?.Times(limit)),
        };
        if (effect?.At(given.Verdicts.Confidence) is not { } decisive)
            return outcome.UndecidedBySingleRepeat();

        var verdict = decisive.LiesAbove(1) ? FindingVerdict.Supported
            : decisive.LiesBelow(1) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
        var (claimed, opposite) = mustBeLess ? ("less", "more") : ("more", "less");
        return outcome.Decide(
            verdict,
            verdict switch
            {
                FindingVerdict.Supported => $": {claimed} than {text}.",
                FindingVerdict.Refuted => $": {opposite} than {text}.",
                _ => $": the noise hides whether that is {claimed} than {text}.",
            },
            $"the 95% interval holds {text}");
    }

    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) =>
        effect > 1 ? FindingVerdict.Supported : FindingVerdict.Refuted;

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
