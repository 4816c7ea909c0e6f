using System.Collections.Concurrent;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.LinearAlgebra;

namespace ScaleOut.Statistics;

/// <summary>
/// Standard normal numbers for a bootstrap, the same each time. They are made to have exactly the variance 1 and no correlation between their columns,
/// so that few of them do not make intervals too wide or too narrow by chance; each row is used with both signs, so that their mean is 0 as well.
/// </summary>
internal static class NoiseTable
{
    private const int Seed = 20_261_121;
    private const int FewestRows = 100;
    private const int RowsPerColumn = 3;

    private static readonly ConcurrentDictionary<int, double[][]> Tables = new();

    /// <summary>Rows of so many numbers.</summary>
    public static double[][] Of(int columns) => Tables.GetOrAdd(columns, Create);

    private static double[][] Create(int columns)
    {
        var rows = Math.Max(FewestRows, RowsPerColumn * columns);
        var numbers = Matrix<double>.Build.Random(rows, columns, new Normal(0, 1, new Random(Seed)));
        var covariance = numbers.TransposeThisAndMultiply(numbers) / rows;
        var whitening = covariance.Cholesky().Factor.Transpose().Inverse();
        return (numbers * whitening).ToRowArrays();
    }
}
