using MathNet.Numerics.Distributions;

namespace ScaleOut.Statistics;

/// <summary>How well a few measurements tell the typical value.</summary>
public static class MeanInterval
{
    /// <summary>The confidence interval of the geometric mean, by Student's t on the logarithms.</summary>
    /// <param name="values">Above 0.</param>
    /// <param name="confidence">Above 0 and below 1. Default 0.95.</param>
    /// <returns>Null for fewer than 2 values.</returns>
    public static Interval? Of(IReadOnlyList<double> values, double confidence = RatioEffect.DefaultConfidence)
    {
        var sample = LogSample.Of(values);
        if (sample.Count < 2)
            return null;
        var reach = StudentT.InvCDF(0, 1, sample.Count - 1, 0.5 + (confidence / 2)) * Math.Sqrt(sample.Variance / sample.Count);
        return new Interval(sample.GeometricMean * Math.Exp(-reach), sample.GeometricMean * Math.Exp(reach));
    }
}
