namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// What decides. Each rule goes wrong in at most a share <see cref="Level"/> of experiments: says <em>supported</em> of a claim that is
/// false, or <em>refuted</em> of one that is true. A gain of up to 1.0526 counts as negligible, so between 1 and that a claim of any gain
/// is neither: there both verdicts can come.
/// </summary>
/// <param name="Level">Above 0, below 0.5.</param>
internal sealed record Verdicts(double Level)
{
    /// <summary>Level of the verdicts that are reported.</summary>
    public const double DefaultLevel = 1 - RatioEffect.DefaultConfidence;

    public static Verdicts Default { get; } = new(DefaultLevel);

    /// <summary>Confidence of an interval outside of which nothing lies by chance; 95% at the default level.</summary>
    public double Confidence => ConfidenceFor(1);

    /// <summary>Confidence of each of several intervals that are to hold together (Bonferroni).</summary>
    public double ConfidenceFor(int comparisons) => 1 - (Level / comparisons);

    /// <summary>Confidence of an interval of which only one end is looked at, as two one-sided tests do; 90% by default.</summary>
    private double OneSided(int comparisons) => 1 - (2 * Level / comparisons);

    /// <summary>
    /// "More than threshold times": supported when the 95% interval lies above the threshold, refuted when it lies below; a claim of any
    /// gain (threshold 1) also when the gain is shown to be negligible at most: the 90% interval ends below 1.0526.
    /// </summary>
    public FindingVerdict OfGain(RatioEffect effect, double threshold = 1, int comparisons = 1)
    {
        var interval = effect.At(ConfidenceFor(comparisons));
        return interval.LiesAbove(threshold) ? FindingVerdict.Supported
            : interval.LiesBelow(threshold) || (threshold == 1 && IsNoGain(effect, comparisons)) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
    }

    /// <summary>
    /// "The same but for a factor": supported when the 90% interval lies within 1 / factor to factor, refuted when it lies wholly outside.
    /// </summary>
    public FindingVerdict OfSameness(RatioEffect effect, double factor)
    {
        var band = Equivalence.BandOf(factor);
        return Equivalence.IsShown(effect, band, OneSided(1)) ? FindingVerdict.Supported
            : Equivalence.IsRefuted(effect, band, OneSided(1)) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
    }

    /// <summary>Whether it is shown that there is no gain but a negligible one. Of gains of 1.0526 and more at most 5% pass.</summary>
    /// <param name="comparisons">How many are asked this, if one of them is enough to refute a claim; 1 if all of them must pass.</param>
    public bool IsNoGain(RatioEffect effect, int comparisons = 1) =>
        effect.At(OneSided(comparisons)).LiesBelow(Equivalence.NegligibleFactor);

    /// <summary>Whether it is shown that there is a gain that is not negligible. Of gains of 1.0526 and less at most 5% pass.</summary>
    /// <inheritdoc cref="IsNoGain"/>
    public bool IsGainThatMatters(RatioEffect effect, int comparisons = 1) =>
        effect.At(OneSided(comparisons)).LiesAbove(Equivalence.NegligibleFactor);
}
