using System.Collections.Concurrent;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.LinearAlgebra;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// How many repeats a comparison that decided nothing would take, if what it measured is the truth and the noise stays as it was.
/// </summary>
public static class RepeatsToDecide
{
    /// <summary>Share of such experiments that the number of repeats is to decide.</summary>
    public const double Power = 0.8;

    /// <summary>More than these are not worth naming: the effect lies on a limit.</summary>
    public const int Most = 100;

    /// <summary>The least number of repeats per variant for which an interval clears a limit so far away.</summary>
    /// <param name="effect">What the repeats so far measured.</param>
    /// <param name="repeats">How many those were, at least 2.</param>
    /// <param name="distance">Between the logarithms of the ratio and of the limit, 0 and more.</param>
    /// <param name="confidence">Of the interval, two-sided.</param>
    /// <returns>Null when over <see cref="Most"/> repeats would be needed.</returns>
    public static int? From(RatioEffect effect, int repeats, double distance, double confidence)
    {
        ArgumentNullException.ThrowIfNull(effect);
        ArgumentOutOfRangeException.ThrowIfLessThan(repeats, 2);
        var noise = effect.StandardError * Math.Sqrt(repeats);
        var least = (Normal.InvCDF(0, 1, 0.5 + (confidence / 2)) + Normal.InvCDF(0, 1, Power)) * noise / distance;
        // Student's t is wider than the normal distribution, so fewer repeats than by that cannot do.
        for (var count = Math.Max(2, (int)Math.Min(Math.Ceiling(least * least), Most + 1)); count <= Most; count++)
        {
            var reach = StudentQuantile.At(2 * (count - 1), confidence) + Normal.InvCDF(0, 1, Power);
            if (reach * noise / Math.Sqrt(count) <= distance)
                return count;
        }

        return null;
    }
}

/// <summary>
/// Standard normal numbers for a bootstrap, the same each time. They are made to have exactly the variance 1 and no correlation between
/// their columns, so that few of them do not make intervals too wide or too narrow by chance; each row is used with both signs, so that
/// their mean is 0 as well.
/// </summary>
internal static class NoiseTable
{
    private const int Seed = 20_261_121;
    private const int FewestRows = 100;
    private const int RowsPerColumn = 3;

    private static readonly ConcurrentDictionary<int, double[][]> Tables = new();

    /// <summary>Rows of so many numbers.</summary>
    public static double[][] From(int columns) => Tables.GetOrAdd(columns, Create);

    private static double[][] Create(int columns)
    {
        var rows = Math.Max(FewestRows, RowsPerColumn * columns);
        var numbers = Matrix<double>.Build.Random(rows, columns, new Normal(0, 1, new Random(Seed)));
        var covariance = numbers.TransposeThisAndMultiply(numbers) / rows;
        var whitening = covariance.Cholesky().Factor.Transpose().Inverse();
        return (numbers * whitening).ToRowArrays();
    }
}
