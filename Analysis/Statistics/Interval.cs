using System.Text.Json.Serialization;

namespace ScaleOut.Analysis.Statistics;

/// <summary>A closed interval of values, such as a confidence interval.</summary>
public readonly record struct Interval(double Low, double High)
{
    /// <summary>Times its lower end from which an interval's upper end says no more than that there are too few repeats.</summary>
    private const double WidestFactor = 10;

    /// <summary>Whether it is too wide to say anything of a positive value, as those of two repeats with noise are.</summary>
    [JsonIgnore]
    public bool IsTooWide => Low >= 0 && High > WidestFactor * Low;

    public bool Contains(double value) => value >= Low && value <= High;

    public bool LiesAbove(double value) => Low > value;

    public bool LiesBelow(double value) => High < value;

    public bool LiesWithin(Interval other) => Low >= other.Low && High <= other.High;

    /// <summary>Both ends times a positive factor.</summary>
    public Interval Times(double factor) => new(Low * factor, High * factor);

    /// <summary>The interval of 1 / x, for positive ends.</summary>
    public Interval Inverse() => new(1 / High, 1 / Low);
}

/// <summary>What a few measurements say of others like them.</summary>
public static class RepeatIntervals
{
    /// <summary>The confidence interval of the geometric mean, by Student's t on the logarithms.</summary>
    /// <param name="values">Above 0.</param>
    /// <param name="confidence">Above 0 and below 1. Default 0.95.</param>
    /// <returns>Null for fewer than 2 values.</returns>
    public static Interval? OfMean(IReadOnlyList<double> values, double confidence = RatioEffect.DefaultConfidence)
    {
        var sample = LogSample.From(values);
        return Around(sample, 1.0 / sample.Count, confidence);
    }

    /// <summary>
    /// Where the next measurement will lie: it scatters as each of these did, around a mean that is known only as well as these say it.
    /// </summary>
    /// <inheritdoc cref="OfMean"/>
    public static Interval? OfNext(IReadOnlyList<double> values, double confidence = RatioEffect.DefaultConfidence)
    {
        var sample = LogSample.From(values);
        return Around(sample, 1 + (1.0 / sample.Count), confidence);
    }

    private static Interval? Around(LogSample sample, double share, double confidence)
    {
        if (sample.Count < RatioEffect.FewestValues)
            return null;
        var reach = StudentQuantile.At(sample.Count - 1, confidence) * Math.Sqrt(sample.Variance * share);
        return new Interval(sample.GeometricMean * Math.Exp(-reach), sample.GeometricMean * Math.Exp(reach));
    }
}
