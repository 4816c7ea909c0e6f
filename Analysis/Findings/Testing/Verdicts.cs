namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// The rules for verdicts. Each rule is wrong in at most a share <paramref name="Level"/> of experiments: it says <em>supported</em>
/// although the claim is false, or <em>refuted</em> although it is true. A gain of up to 1.0526 is negligible, and so is a loss down to
/// 0.95. If the true gain lies between 1 and 1.0526, a claim of any gain counts as neither true nor false. A claim about a single gain is
/// then decided as a tie (<see cref="OfAnyGain"/>); of claims with several parts both verdicts can occur.
/// </summary>
/// <param name="Level">Above 0, below 0.5.</param>
internal sealed record Verdicts(double Level)
{
    /// <summary>Level of the verdicts that are reported.</summary>
    public const double DefaultLevel = 1 - RatioEffect.DefaultConfidence;

    public static Verdicts Default { get; } = new(DefaultLevel);

    /// <summary>Confidence of the two-sided interval that decides about gains; 95% at the default level.</summary>
    public double Confidence => ConfidenceFor(1);

    /// <summary>Confidence of each of several intervals that are to hold together (Bonferroni).</summary>
    public double ConfidenceFor(int comparisons) => 1 - (Level / comparisons);

    /// <summary>Confidence of an interval of which a test uses one end only, as two one-sided tests do; 90% at the default level.</summary>
    private double OneSided(int comparisons) => 1 - (2 * Level / comparisons);

    /// <summary>
    /// Decides a claim of a gain of more than the threshold. It is supported if the 95% interval lies above the threshold, and refuted if
    /// the interval lies below. A claim of any gain (threshold 1) is also refuted if the gain is shown to be negligible at most: the 90%
    /// interval ends below 1.0526.
    /// </summary>
    public FindingVerdict OfGain(RatioEffect effect, double threshold = 1, int comparisons = 1)
    {
        var interval = effect.At(ConfidenceFor(comparisons));
        if (interval.LiesAbove(threshold))
            return FindingVerdict.Supported;
        return interval.LiesBelow(threshold) || (threshold == 1 && IsNoGain(effect, comparisons))
            ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
    }

    /// <summary>
    /// Decides a claim of any gain that has no other parts. A tie is shown if the 90% interval lies within 0.95 to 1.0526: the claim is
    /// then neither supported nor refuted, whichever side of 1 the interval lies on. Otherwise the claim is supported if the 95% interval
    /// lies above 1 and the gain itself is not negligible. It is refuted if the 95% interval lies below 1, or if the 90% interval ends
    /// below 1.0526 and the loss itself is not negligible.
    /// </summary>
    public FindingVerdict OfAnyGain(RatioEffect effect)
    {
        if (Equivalence.IsShown(effect, Equivalence.NegligibleBand, OneSided(1)))
            return FindingVerdict.NoDifference;
        var verdict = OfGain(effect);
        var isNegligible = Equivalence.NegligibleBand.Contains(effect.Ratio);
        return isNegligible && !effect.At(Confidence).LiesBelow(1) ? FindingVerdict.Inconclusive : verdict;
    }

    /// <summary>
    /// Decides one part of a claim of a gain whose parts must all hold. Each part has the whole 5% to be supported. One part alone can
    /// refute the claim, so all parts share the 5% for that.
    /// </summary>
    public FindingVerdict OfPart(RatioEffect effect, double threshold, int parts)
    {
        if (OfGain(effect, threshold, parts) == FindingVerdict.Refuted)
            return FindingVerdict.Refuted;
        return OfGain(effect, threshold) == FindingVerdict.Supported ? FindingVerdict.Supported : FindingVerdict.Inconclusive;
    }

    /// <summary>
    /// Decides a claim of being the same but for a factor. It is supported if the 90% interval lies within 1 / factor to factor, and
    /// refuted if the 95% interval lies wholly outside.
    /// </summary>
    public FindingVerdict OfSameness(RatioEffect effect, double factor)
    {
        var band = Equivalence.BandOf(factor);
        if (Equivalence.IsShown(effect, band, OneSided(1)))
            return FindingVerdict.Supported;
        return Equivalence.IsRefuted(effect, band, Confidence) ? FindingVerdict.Refuted : FindingVerdict.Inconclusive;
    }

    /// <summary>Whether the gain is shown to be negligible at most. At most 5% of true gains of 1.0526 and more pass.</summary>
    /// <param name="comparisons">Number of comparisons if one of them alone can refute the claim; 1 if all of them must pass.</param>
    public bool IsNoGain(RatioEffect effect, int comparisons = 1) =>
        effect.At(OneSided(comparisons)).LiesBelow(Equivalence.NegligibleFactor);

    /// <summary>Whether the gain is shown not to be negligible. At most 5% of true gains of 1.0526 and less pass.</summary>
    /// <inheritdoc cref="IsNoGain"/>
    public bool IsGainThatMatters(RatioEffect effect, int comparisons = 1) =>
        effect.At(OneSided(comparisons)).LiesAbove(Equivalence.NegligibleFactor);
}
