using ScaleOut.Analysis.Charts;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// The normal equations of a small least-squares problem in gamma, alpha and beta. They are made and solved thousands of times for one set
/// of intervals, so they live on the stack.
/// </summary>
internal struct NormalEquations
{
    private double _gg, _ga, _gb, _aa, _ab, _bb, _g, _a, _b;

    /// <summary>Adds one observation: its weight, its value, and the coefficients of the three unknowns.</summary>
    public void Add(double weight, double value, double gamma, double alpha, double beta)
    {
        var (weightedGamma, weightedAlpha, weightedBeta) = (weight * gamma, weight * alpha, weight * beta);
        _gg += weightedGamma * gamma;
        _ga += weightedGamma * alpha;
        _gb += weightedGamma * beta;
        _aa += weightedAlpha * alpha;
        _ab += weightedAlpha * beta;
        _bb += weightedBeta * beta;
        _g += weightedGamma * value;
        _a += weightedAlpha * value;
        _b += weightedBeta * value;
    }

    /// <summary>Solves them by Cholesky's decomposition.</summary>
    /// <param name="free">Which of alpha and beta are unknowns; the others stay 0.</param>
    /// <param name="damping">Marquardt's: what the diagonal is raised by, as a share of itself.</param>
    public readonly (double Gamma, double Alpha, double Beta) Solve(FreeParameters free, double damping)
    {
        // Scaled by its diagonal the matrix has ones there, which keeps the N^2 terms from swamping gamma's; a parameter that is held has a
        // scale of 0.
        var scaleGamma = Scale(_gg);
        var scaleAlpha = free.HasFlag(FreeParameters.Alpha) ? Scale(_aa) : 0;
        var scaleBeta = free.HasFlag(FreeParameters.Beta) ? Scale(_bb) : 0;
        var raised = 1 + damping;
        var (ga, gb, ab) = (_ga * scaleGamma * scaleAlpha, _gb * scaleGamma * scaleBeta, _ab * scaleAlpha * scaleBeta);

        var l11 = Math.Sqrt(raised);
        var (l21, l31) = (ga / l11, gb / l11);
        var l22 = Math.Sqrt(Positive(raised - (l21 * l21)));
        var l32 = (ab - (l31 * l21)) / l22;
        var l33 = Math.Sqrt(Positive(raised - (l31 * l31) - (l32 * l32)));

        var y1 = _g * scaleGamma / l11;
        var y2 = ((_a * scaleAlpha) - (l21 * y1)) / l22;
        var y3 = ((_b * scaleBeta) - (l31 * y1) - (l32 * y2)) / l33;
        var z3 = y3 / l33;
        var z2 = (y2 - (l32 * z3)) / l22;
        var z1 = (y1 - (l21 * z2) - (l31 * z3)) / l11;
        return (z1 * scaleGamma, z2 * scaleAlpha, z3 * scaleBeta);
    }

    private static double Scale(double diagonal) => diagonal > 0 ? 1 / Math.Sqrt(diagonal) : 0;

    private static double Positive(double pivot) => Math.Max(pivot, 1e-14);
}
