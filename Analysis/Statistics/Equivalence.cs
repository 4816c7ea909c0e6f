namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// Tests whether a ratio is near enough to 1 not to matter: two one-sided tests at 5% each, which is the same as asking whether the 90%
/// interval lies within a band. Its mirror, that the ratio does matter, asks whether the 95% interval lies wholly outside the band: noise
/// can carry it beyond either end, so each end has half of the 5%.
/// </summary>
internal static class Equivalence
{
    /// <summary>Confidence of the interval that must lie within the band.</summary>
    public const double Confidence = 0.90;

    /// <summary>Largest factor, up or down, of a ratio that does not matter.</summary>
    public const double NegligibleFactor = 1.0526;

    /// <summary>Ratios that do not matter: 0.95 (1 / 1.0526) to 1.0526.</summary>
    public static Interval NegligibleBand => BandOf(NegligibleFactor);

    /// <summary>The band 1 / factor to factor.</summary>
    /// <param name="factor">Above 1.</param>
    public static Interval BandOf(double factor)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(factor, 1);
        return new Interval(1 / factor, factor);
    }

    /// <summary>Whether the effect is shown to lie within the band. At most 5% of the effects on or beyond the band's edge pass.</summary>
    public static bool IsShown(RatioEffect effect, Interval band, double confidence = Confidence) =>
        effect.At(confidence).LiesWithin(band);

    /// <summary>Whether the effect is shown to lie outside the band. At most 5% of the effects on or within the band's edge pass.</summary>
    public static bool IsRefuted(RatioEffect effect, Interval band, double confidence = RatioEffect.DefaultConfidence)
    {
        var interval = effect.At(confidence);
        return interval.LiesAbove(band.High) || interval.LiesBelow(band.Low);
    }
}
