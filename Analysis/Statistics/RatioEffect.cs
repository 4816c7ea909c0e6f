
namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// How many times larger one sample's typical value is than another's: the ratio of geometric means, with Welch's t on the logarithms for
/// its intervals. Both samples are taken as independent with variances of their own.
/// </summary>
public sealed record RatioEffect
{
    /// <summary>Confidence of the interval that decides verdicts.</summary>
    public const double DefaultConfidence = 0.95;

    /// <summary>Values of a sample from which something is known of its variance; fewer repeats decide nothing.</summary>
    public const int FewestValues = 2;

    /// <summary>Geometric mean of the numerators / geometric mean of the denominators, above 0.</summary>
    public required double Ratio { get; init; }

    /// <summary>Standard error of ln(<see cref="Ratio"/>).</summary>
    public required double StandardError { get; init; }

    /// <summary>Degrees of freedom by Welch and Satterthwaite, at least 1.</summary>
    public required double DegreesOfFreedom { get; init; }

    /// <summary>Compares two samples of positive values.</summary>
    /// <returns>Null when a sample has fewer than <see cref="FewestValues"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A value is not above 0, or not finite.</exception>
    public static RatioEffect? From(IReadOnlyList<double> numerators, IReadOnlyList<double> denominators)
    {
        var above = LogSample.From(numerators);
        var below = LogSample.From(denominators);
        return above.Count < FewestValues || below.Count < FewestValues ? null : From(above, below, 1, 1);
    }

    /// <summary>
    /// Compares values that were measured in pairs, such as those of one round: Student's t on the logarithms of their ratios. What both of
    /// a pair have in common, as the machine's drift, is in neither the ratio nor its error; nothing is assumed of the variances.
    /// </summary>
    /// <param name="numerators">Positive values.</param>
    /// <param name="denominators">As many, each of the same pair as the numerator in its place.</param>
    /// <returns>Null for fewer than <see cref="FewestValues"/> pairs.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A ratio is not above 0, or not finite.</exception>
    public static RatioEffect? FromPairs(IReadOnlyList<double> numerators, IReadOnlyList<double> denominators)
    {
        var ratios = LogSample.From([.. numerators.Zip(denominators, (above, below) => above / below)]);
        return ratios.Count < FewestValues ? null : new RatioEffect
        {
            Ratio = ratios.GeometricMean,
            StandardError = Math.Sqrt(ratios.Variance / ratios.Count),
            DegreesOfFreedom = ratios.Count - 1,
        };
    }

    /// <summary>Welch's t on logarithms, of samples whose values may resemble their neighbours.</summary>
    /// <param name="above">Of the numerators; at least 2 values.</param>
    /// <param name="below">Of the denominators; at least 2 values.</param>
    /// <param name="inflationAbove">By how much the variance of a mean of the numerators is larger than that of independent values.</param>
    /// <param name="inflationBelow">The same of the denominators.</param>
    internal static RatioEffect From(LogSample above, LogSample below, double inflationAbove, double inflationBelow)
    {
        var (first, second) = (above.Variance * inflationAbove / above.Count, below.Variance * inflationBelow / below.Count);
        var variance = first + second;
        return new RatioEffect
        {
            Ratio = Math.Exp(above.Mean - below.Mean),
            StandardError = Math.Sqrt(variance),
            DegreesOfFreedom = variance * variance / ((first * first / (above.Count - 1)) + (second * second / (below.Count - 1))),
        };
    }

    /// <summary>The two-sided confidence interval of the ratio.</summary>
    /// <param name="confidence">Above 0 and below 1. Default 0.95.</param>
    public Interval At(double confidence = DefaultConfidence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(confidence, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(confidence, 1);
        var reach = StudentQuantile.At(DegreesOfFreedom, confidence) * StandardError;
        return new Interval(Ratio * Math.Exp(-reach), Ratio * Math.Exp(reach));
    }

    /// <summary>The same comparison with the numerators times a positive factor.</summary>
    public RatioEffect Times(double factor) => this with { Ratio = Ratio * factor };
}
