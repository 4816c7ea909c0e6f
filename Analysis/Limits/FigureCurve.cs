using MathNet.Numerics.Distributions;
using Matrix = MathNet.Numerics.LinearAlgebra.Matrix<double>;
using Vector = MathNet.Numerics.LinearAlgebra.Vector<double>;

namespace ScaleOut.Analysis.Limits;

/// <summary>
/// How a figure such as p99 grows with the rate near the limit. The curve is a parabola of the figure's logarithm over the rate's
/// logarithm. Huber weights keep single runs far from the curve from bending it. The curve shows whether the runs drift, and is drawn in
/// reports. The interval of the limit comes from <see cref="HoldCurve"/>, because a figure that bends between two rates fits no parabola.
/// </summary>
internal sealed class FigureCurve
{
    /// <summary>Largest residual, in standard deviations, that still counts in full.</summary>
    private const double FullWeight = 0.8;

    /// <summary>Median of the absolute deviation of a normal distribution, in standard deviations.</summary>
    private const double DeviationOfMedian = 0.6745;
    private const double MinDeviation = 0.001;
    private const int MinRuns = 6;
    private const int MaxSteps = 30;

    /// <summary>Weight of the product of two neighbouring residuals. For residuals n runs apart, the nth power of it.</summary>
    private const double Decay = 0.8;

    /// <summary>A drift is shown above this many standard errors and above <see cref="MaxInflation"/>.</summary>
    private const double MinErrors = 2.2;
    private const double MaxInflation = 2;

    /// <summary>Correction for the correlation of distant runs, part of which the weights leave out.</summary>
    private const double LeftOut = 1.3;

    private readonly double _centre;
    private readonly Vector _coefficients;
    private readonly Matrix _covariance;
    private readonly double _freedom;

    /// <summary>
    /// Distances of the fitted runs from the curve, in standard deviations and in the order of the runs. Larger distances are cut to
    /// <see cref="FullWeight"/>.
    /// </summary>
    private readonly IReadOnlyList<double> _residuals;

    private FigureCurve(double centre, Vector coefficients, Matrix covariance, double freedom, IReadOnlyList<double> residuals) =>
        (_centre, _coefficients, _covariance, _freedom, _residuals) = (centre, coefficients, covariance, freedom, residuals);

    /// <summary>Fits the runs whose rates are near the limit.</summary>
    /// <param name="centre">Logarithm of the limit.</param>
    /// <param name="reach">Largest distance of the logarithm of a rate from <paramref name="centre"/>.</param>
    /// <returns>Null if too few runs have the figure, or too few have one above 0.</returns>
    public static FigureCurve? From(IReadOnlyList<LimitPoint> points, double centre, double reach)
    {
        var near = points.Where(point => point.Excess is not null && Math.Abs(point.X - centre) <= reach)
            .Select(point => (U: point.X - centre, Y: point.Excess!.Value)).ToList();
        var rates = near.Select(point => point.U).Distinct().Count();
        // Runs without any throttled attempt or error do not show how far they are from the curve.
        return near.Count(point => point.Y > BoundedFigure.ExcessOfNone) < MinRuns || rates < 2
            ? null
            : Fit(near, centre, parameters: rates == 2 ? 2 : 3);
    }

    /// <summary>The excess (<see cref="BoundedFigure.Excess"/>) at the logarithm of a rate, with its interval.</summary>
    public (double Mean, double Low, double High) At(double x, double confidence)
    {
        var terms = Vector.Build.DenseOfArray(Terms(x - _centre, _coefficients.Count));
        var (mean, variance) = (_coefficients * terms, terms * _covariance * terms);
        var reach = StudentT.InvCDF(0, 1, _freedom, (1 + confidence) / 2) * Math.Sqrt(Math.Max(0, variance));
        return (mean, mean - reach, mean + reach);
    }

    /// <summary>Whether neighbouring runs resemble each other, as they do if the limit moves while it is measured.</summary>
    /// <returns>
    /// The number of runs that show as much as one independent run, at least 1; and whether they resemble each other so much that no
    /// interval can be given.
    /// </returns>
    public (double Inflation, bool IsShown) Drift()
    {
        double products = 0, carried = 0;
        var squares = _residuals.Sum(residual => residual * residual);
        if (_residuals.Count < 3 || squares <= 0)
            return (1, false);
        foreach (var residual in _residuals)
        {
            products += carried * residual;
            carried = Decay * (carried + residual);
        }

        // The residuals of a fit add up to 0, so products of two are below 0 on average. The second term corrects that.
        var n = _residuals.Count;
        var excess = (2 * products / squares) + (2 * SumOfWeights(Decay, n) / (n * (n - 1.0)));
        var error = 2 * Math.Sqrt(SumOfWeights(Decay * Decay, n)) / n;
        return (1 + (LeftOut * Math.Max(0, excess)), excess > MinErrors * error && excess > MaxInflation - 1);
    }

    /// <summary>Sum, over all pairs of n runs, of the weight to the power of the pair's distance.</summary>
    private static double SumOfWeights(double weight, int n) => weight / (1 - weight) * (n - ((1 - Math.Pow(weight, n)) / (1 - weight)));

    private static FigureCurve? Fit(List<(double U, double Y)> points, double centre, int parameters)
    {
        var terms = Matrix.Build.DenseOfRowArrays(points.Select(point => Terms(point.U, parameters)));
        var values = Vector.Build.DenseOfEnumerable(points.Select(point => point.Y));
        var even = Vector.Build.Dense(points.Count, 1);
        var (weights, residuals) = (even, values);
        var coefficients = Vector.Build.Dense(parameters);
        double deviation = 0;
        for (var step = 0; step < MaxSteps; step++)
        {
            if (Solve(terms, values, weights) is not { } solved)
                return null;
            coefficients = solved.Coefficients;
            residuals = values - (terms * coefficients);
            // A curve with n parameters can pass through n points, so the smallest residuals do not show the noise.
            var sizes = residuals.Select(Math.Abs).Order().Skip(parameters - 1).ToList();
            deviation = Math.Max(sizes[sizes.Count / 2] / DeviationOfMedian, MinDeviation);
            var full = FullWeight * deviation;
            weights = residuals.Map(residual => Math.Min(1, full / Math.Max(Math.Abs(residual), double.Epsilon)));
        }

        var cut = residuals.Select(residual => Math.Clamp(residual / deviation, -FullWeight, FullWeight)).ToList();
        var within = Math.Max(0.2, cut.Count(residual => Math.Abs(residual) < FullWeight) / (double)cut.Count);
        var freedom = points.Count - parameters;
        var variance = deviation * deviation * cut.Sum(residual => residual * residual) / freedom / (within * within);
        return Solve(terms, values, even) is { Inverse: var inverse }
            ? new FigureCurve(centre, coefficients, inverse * variance, freedom, cut)
            : null;
    }

    private static double[] Terms(double u, int parameters) => parameters == 2 ? [1, u] : [1, u, u * u];

    /// <summary>Weighted least squares; null if the rates do not determine the curve.</summary>
    private static (Vector Coefficients, Matrix Inverse)? Solve(Matrix terms, Vector values, Vector weights)
    {
        var weighted = Matrix.Build.DiagonalOfDiagonalVector(weights) * terms;
        var normal = weighted.TransposeThisAndMultiply(terms);
        if (!(normal.ConditionNumber() < 1e14))
            return null;
        var inverse = normal.Inverse();
        return (inverse * weighted.TransposeThisAndMultiply(values), inverse);
    }
}
