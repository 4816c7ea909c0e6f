using MathNet.Numerics.LinearAlgebra;
using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>A value with its variance, as sums and differences of medians have it; taken to be independent of all others.</summary>
/// <param name="Value">The estimate.</param>
/// <param name="Variance">Square of its standard error.</param>
/// <param name="Count">Observations that it rests on.</param>
internal readonly record struct Uncertain(double Value, double Variance, long Count)
{
    /// <summary>Half a microsecond: what a reading of the clock is off by at most when it is written in whole microseconds.</summary>
    private const double ClockGrainMs = 0.0005;

    public double StandardError => Math.Sqrt(Variance);

    /// <summary>The median of a sample, its standard error from the interval of order statistics; null for fewer than six values.</summary>
    public static Uncertain? Median(IReadOnlyList<double> sorted)
    {
        if (OrderStatistics.Quantile(sorted, 0.5) is not { } median)
            return null;
        var error = median.Reach() / Confidence.Normal95;
        return new Uncertain(median.Value, error * error, median.Count);
    }

    public static Uncertain operator +(Uncertain left, Uncertain right) =>
        new(left.Value + right.Value, left.Variance + right.Variance, Math.Min(left.Count, right.Count));

    public static Uncertain operator -(Uncertain left, Uncertain right) =>
        new(left.Value - right.Value, left.Variance + right.Variance, Math.Min(left.Count, right.Count));

    public static Uncertain operator /(Uncertain left, double divisor) =>
        left with { Value = left.Value / divisor, Variance = left.Variance / (divisor * divisor) };

    /// <summary>
    /// Estimates of one value, weighted by their precision; at least one. Where they are farther apart than their errors say, the error is
    /// as much larger (Birge's ratio).
    /// </summary>
    public static Uncertain Pool(IReadOnlyList<Uncertain> estimates)
    {
        if (estimates.FirstOrDefault(one => one.Variance <= 0) is { Count: > 0 } exact)
            return exact;
        var weight = estimates.Sum(one => 1 / one.Variance);
        var mean = estimates.Sum(one => one.Value / one.Variance) / weight;
        var apart = estimates.Sum(one => (one.Value - mean) * (one.Value - mean) / one.Variance) / Math.Max(1, estimates.Count - 1);
        return new Uncertain(mean, Math.Max(1, apart) / weight, estimates.Sum(one => one.Count));
    }

    /// <summary>With another value, half the difference to which is a standard error of its own.</summary>
    public Uncertain CorrectedTo(double value) =>
        this with { Value = value, Variance = Variance + ((value - Value) * (value - Value) / 4) };

    /// <summary>A figure of time, which cannot be more precise than the clock.</summary>
    public MeasuredFigure ToTime() => ToFigure(ClockGrainMs);

    /// <summary>A figure with its 95% interval.</summary>
    /// <param name="grain">What is added to both sides.</param>
    public MeasuredFigure ToFigure(double grain = 0)
    {
        var reach = (Confidence.Normal95 * StandardError) + grain;
        return new MeasuredFigure(Value, Value - reach, Value + reach, Count);
    }
}

/// <summary>Least squares with several unknowns.</summary>
internal sealed class LinearFit
{
    private readonly Matrix<double> _inverse;
    private readonly Vector<double> _solution;
    private readonly Matrix<double> _weights;
    private readonly double _residual;
    private readonly int _freedom;

    private LinearFit(Matrix<double> inverse, Vector<double> solution, Matrix<double> weights, double residual, int freedom) =>
        (_inverse, _solution, _weights, _residual, _freedom) = (inverse, solution, weights, residual, freedom);

    public double this[int unknown] => _solution[unknown];

    /// <summary>Fits; null where the observations do not determine the unknowns.</summary>
    /// <param name="rows">The coefficients of the unknowns, one row for each observation.</param>
    /// <param name="values">The observations.</param>
    /// <param name="variances">Of the observations; null for equal ones that the residuals show.</param>
    public static LinearFit? From(
        IReadOnlyList<double[]> rows, IReadOnlyList<double> values, IReadOnlyList<double>? variances = null)
    {
        if (rows.Count == 0 || rows.Count < rows[0].Length)
            return null;
        var scale = rows.Select((_, i) => variances is null ? 1 : 1 / Math.Sqrt(variances[i])).ToList();
        var matrix = Matrix<double>.Build.DenseOfRows(rows.Select((row, i) => row.Select(x => x * scale[i])));
        var vector = Vector<double>.Build.DenseOfEnumerable(values.Select((value, i) => value * scale[i]));
        var normal = matrix.TransposeThisAndMultiply(matrix);
        if (matrix.Rank() < rows[0].Length)
            return null;
        var inverse = normal.Inverse();
        var weights = inverse * matrix.Transpose();
        var solution = weights * vector;
        var residual = (vector - (matrix * solution)).L2Norm();
        return new LinearFit(inverse, solution, weights, residual * residual, rows.Count - rows[0].Length);
    }

    /// <summary>Variance of an unknown where the observations' are known.</summary>
    public double Variance(int unknown) => _inverse[unknown, unknown];

    /// <summary>Covariance of two unknowns where the observations' variances are known.</summary>
    public double Covariance(int first, int second) => _inverse[first, second];

    /// <summary>
    /// Reach of an unknown's 95% interval where all observations were rounded: Student's t on the residuals, and what the worst roundings
    /// would make of it.
    /// </summary>
    /// <param name="unknown">Which.</param>
    /// <param name="rounding">How far rounding moves an observation at most.</param>
    public double ReachOfRounded(int unknown, double rounding)
    {
        var worst = rounding * _weights.Row(unknown).L1Norm();
        return _freedom > 0
            ? worst + (Confidence.Student95(_freedom + 1) * Math.Sqrt(_residual / _freedom * _inverse[unknown, unknown]))
            : worst;
    }
}
