using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>A closed interval of values, such as a confidence interval.</summary>
public readonly record struct Interval(double Low, double High)
{
    public bool Contains(double value) => value >= Low && value <= High;

    public bool LiesAbove(double value) => Low > value;

    public bool LiesBelow(double value) => High < value;

    public bool LiesWithin(Interval other) => Low >= other.Low && High <= other.High;

    /// <summary>Both ends times a positive factor.</summary>
    public Interval Times(double factor) => new(Low * factor, High * factor);

    /// <summary>The interval of 1 / x, for positive ends.</summary>
    public Interval Inverse() => new(1 / High, 1 / Low);
}

/// <summary>How well a few measurements determine the typical value.</summary>
public static class MeanInterval
{
    /// <summary>The confidence interval of the geometric mean, by Student's t on the logarithms.</summary>
    /// <param name="values">Above 0.</param>
    /// <param name="confidence">Above 0 and below 1. Default 0.95.</param>
    /// <returns>Null for fewer than 2 values.</returns>
    public static Interval? From(IReadOnlyList<double> values, double confidence = RatioEffect.DefaultConfidence)
    {
        var sample = LogSample.From(values);
        if (sample.Count < 2)
            return null;
        var reach = StudentT.InvCDF(0, 1, sample.Count - 1, 0.5 + (confidence / 2)) * Math.Sqrt(sample.Variance / sample.Count);
        return new Interval(sample.GeometricMean * Math.Exp(-reach), sample.GeometricMean * Math.Exp(reach));
    }
}
