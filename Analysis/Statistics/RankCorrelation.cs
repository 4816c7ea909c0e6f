using MathNet.Numerics.Statistics;

namespace ScaleOut.Analysis.Statistics;

/// <summary>How well two series agree in their order.</summary>
internal static class RankCorrelation
{
    /// <summary>Spearman's rho, -1 to 1; values that are equal share the mean of their ranks.</summary>
    /// <returns>Null for fewer than 2 pairs, and when all values of a series are equal: then there is no order to compare.</returns>
    /// <exception cref="ArgumentException">The series differ in length, or a value is NaN.</exception>
    public static double? Spearman(IReadOnlyList<double> first, IReadOnlyList<double> second)
    {
        if (first.Count != second.Count)
            throw new ArgumentException($"series of {first.Count} and {second.Count} values make no pairs", nameof(second));
        if (first.Concat(second).Any(double.IsNaN))
            throw new ArgumentException("NaN has no rank", nameof(first));
        return first.Distinct().Count() < 2 || second.Distinct().Count() < 2
            ? null
            : Math.Clamp(Correlation.Spearman(first, second), -1, 1);
    }
}
