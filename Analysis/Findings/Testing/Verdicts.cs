using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// What decides. Each rule goes wrong in at most 5% of experiments: says <em>supported</em> of a claim that is false, or <em>refuted</em>
/// of one that is true. A gain of up to 1.0526 counts as negligible, so between 1 and that a claim of any gain is neither: there both
/// verdicts can come.
/// </summary>
internal static class Verdicts
{
    /// <summary>Confidence of each of several intervals that are to hold together at 95% (Bonferroni).</summary>
    public static double ConfidenceFor(int comparisons) => 1 - ((1 - RatioEffect.DefaultConfidence) / comparisons);

    /// <summary>
    /// "More than threshold times": supported when the 95% interval lies above the threshold, refuted when it lies below; a claim of any
    /// gain (threshold 1) also when the gain is shown to be negligible at most: the 90% interval ends below 1.0526.
    /// </summary>
    public static FindingVerdict OfGain(RatioEffect effect, double threshold = 1, int comparisons = 1)
    {
        var interval = effect.At(ConfidenceFor(comparisons));
        return interval.LiesAbove(threshold) ? FindingVerdict.Supported
            : interval.LiesBelow(threshold) || (threshold == 1 && IsNoGain(effect, comparisons)) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
    }

    /// <summary>
    /// "The same but for a factor": supported when the 90% interval lies within 1 / factor to factor, refuted when it lies wholly outside.
    /// </summary>
    public static FindingVerdict OfSameness(RatioEffect effect, double factor)
    {
        var band = Equivalence.BandOf(factor);
        return Equivalence.IsShown(effect, band) ? FindingVerdict.Supported
            : Equivalence.IsRefuted(effect, band) ? FindingVerdict.Refuted
            : FindingVerdict.Inconclusive;
    }

    /// <summary>Whether it is shown that there is no gain but a negligible one. Of gains of 1.0526 and more at most 5% pass.</summary>
    /// <param name="effect">The gain.</param>
    /// <param name="comparisons">How many are asked this, if one of them is enough to refute a claim; 1 if all of them must pass.</param>
    public static bool IsNoGain(RatioEffect effect, int comparisons = 1) =>
        effect.At(1 - ((1 - Equivalence.Confidence) / comparisons)).LiesBelow(Equivalence.NegligibleFactor);

    /// <summary>Whether it is shown that there is a gain that is not negligible. Of gains of 1.0526 and less at most 5% pass.</summary>
    /// <inheritdoc cref="IsNoGain"/>
    public static bool IsGainThatMatters(RatioEffect effect, int comparisons = 1) =>
        effect.At(1 - ((1 - Equivalence.Confidence) / comparisons)).LiesAbove(Equivalence.NegligibleFactor);
}
