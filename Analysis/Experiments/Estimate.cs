using MathNet.Numerics.Distributions;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Analysis.Experiments;

/// <summary>
/// The typical value of a figure over a variant's repeats: the geometric mean, with Student's t on the logarithms for its interval.
/// </summary>
public sealed record Estimate
{
    private const double Confidence = 0.95;

    /// <summary>Geometric mean, above 0.</summary>
    public required double Value { get; init; }

    /// <summary>95% interval of <see cref="Value"/>; null with fewer than two repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Repeats that it rests on.</summary>
    public required int Count { get; init; }

    /// <summary>
    /// Estimates from one value for each repeat; those that are not positive are left out, as they have no logarithm. Null when none is
    /// left.
    /// </summary>
    public static Estimate? From(IEnumerable<double?> values)
    {
        var usable = values.Where(value => value is > 0 && double.IsFinite(value.Value)).Select(value => value!.Value).ToList();
        if (usable.Count == 0)
            return null;
        var sample = LogSample.From(usable);
        return new Estimate { Value = sample.GeometricMean, Count = sample.Count, Interval95 = IntervalOf(sample) };
    }

    private static Interval? IntervalOf(LogSample sample)
    {
        if (sample.Count < 2)
            return null;
        var reach = StudentT.InvCDF(0, 1, sample.Count - 1, 0.5 + (Confidence / 2)) * Math.Sqrt(sample.Variance / sample.Count);
        return new Interval(Math.Exp(sample.Mean - reach), Math.Exp(sample.Mean + reach));
    }
}
