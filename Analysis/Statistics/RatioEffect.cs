namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// How many times larger one sample's typical value is than another's: the ratio of geometric means, with Welch's t on the logarithms for
/// its intervals. Both samples are taken as independent with variances of their own.
/// </summary>
public sealed record RatioEffect
{
    /// <summary>Confidence of the interval that decides verdicts.</summary>
    public const double DefaultConfidence = 0.95;

    /// <summary>Smallest number of values from which a sample's variance can be estimated. Fewer repeats decide nothing.</summary>
    public const int MinValues = 2;

    /// <summary>Geometric mean of the numerators / geometric mean of the denominators, above 0.</summary>
    public required double Ratio { get; init; }

    /// <summary>Standard error of ln(<see cref="Ratio"/>).</summary>
    public required double StandardError { get; init; }

    /// <summary>Degrees of freedom by Welch and Satterthwaite, at least 1.</summary>
    public required double DegreesOfFreedom { get; init; }

    /// <summary>Compares two samples of positive values.</summary>
    /// <returns>Null when a sample has fewer than <see cref="MinValues"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A value is not above 0, or not finite.</exception>
    public static RatioEffect? From(IReadOnlyList<double> numerators, IReadOnlyList<double> denominators)
    {
        var above = LogSample.From(numerators);
        var below = LogSample.From(denominators);
        return above.Count < MinValues || below.Count < MinValues ? null : From(above, below, 1, 1);
    }

    /// <summary>
    /// Compares values that were measured in pairs, such as those of one round: Student's t on the logarithms of their ratios. Whatever
    /// affects both values of a pair, such as a machine's drift, cancels out. Nothing is assumed about the variances.
    /// </summary>
    /// <param name="denominators">As many as numerators. Values at the same index are a pair.</param>
    /// <returns>Null for fewer than <see cref="MinValues"/> pairs.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A ratio is not above 0, or not finite.</exception>
    public static RatioEffect? FromPairs(IReadOnlyList<double> numerators, IReadOnlyList<double> denominators)
    {
        var ratios = LogSample.From([.. numerators.Zip(denominators, (above, below) => above / below)]);
        return ratios.Count < MinValues ? null : new RatioEffect
        {
            Ratio = ratios.GeometricMean,
            StandardError = Math.Sqrt(ratios.Variance / ratios.Count),
            DegreesOfFreedom = ratios.Count - 1,
        };
    }

    /// <summary>Welch's t on logarithms, for samples whose neighbouring values may be correlated.</summary>
    /// <param name="above">Sample of the numerators, with at least 2 values.</param>
    /// <param name="below">Sample of the denominators, with at least 2 values.</param>
    /// <param name="inflationAbove">Factor by which correlation enlarges the variance of the numerators' mean; 1 for none.</param>
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

/// <summary>Count, mean and variance of the logarithms of positive values.</summary>
/// <param name="Mean">Mean of the logarithms; NaN without values.</param>
/// <param name="Variance">
/// Sample variance of the logarithms, but no less than that of <see cref="MinDeviation"/>; 0 for fewer than 2 values.
/// </param>
internal readonly record struct LogSample(int Count, double Mean, double Variance)
{
    /// <summary>
    /// Smallest standard deviation, as a share of a value. Rates are counted in whole documents and seconds, and charges are rounded to
    /// 0.01 RU, so equal repeats may still differ by less than is visible.
    /// </summary>
    public const double MinDeviation = 0.001;

    /// <summary>The typical value, exp(<see cref="Mean"/>).</summary>
    public double GeometricMean => Math.Exp(Mean);

    /// <exception cref="ArgumentOutOfRangeException">A value is not above 0, or not finite.</exception>
    public static LogSample From(IReadOnlyList<double> values)
    {
        if (values.Count == 0)
            return new LogSample(0, double.NaN, 0);
        foreach (var value in values)
        {
            if (!(value > 0 && double.IsFinite(value)))
                throw new ArgumentOutOfRangeException(nameof(values), value, "a ratio needs values above 0");
        }

        var mean = values.Sum(Math.Log) / values.Count;
        if (values.Count == 1)
            return new LogSample(1, mean, 0);
        var squares = values.Sum(value => (Math.Log(value) - mean) * (Math.Log(value) - mean));
        return new LogSample(values.Count, mean, Math.Max(squares / (values.Count - 1), MinDeviation * MinDeviation));
    }
}
