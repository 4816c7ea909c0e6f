namespace ScaleOut.Statistics;

/// <summary>
/// The normal equations of a small least-squares problem in gamma, alpha and beta, of which alpha and beta may be held at 0. Solved thousands of times for one
/// set of intervals, so it allocates nothing but itself.
/// </summary>
internal sealed class NormalEquations(bool contention, bool coherency)
{
    private double _gg, _ga, _gb, _aa, _ab, _bb, _g, _a, _b;

    /// <summary>Adds one observation: its weight, its value, and the coefficients of the three unknowns.</summary>
    public void Add(double weight, double value, double gamma, double alpha, double beta)
    {
        _gg += weight * gamma * gamma;
        _g += weight * gamma * value;
        if (contention)
        {
            _ga += weight * gamma * alpha;
            _aa += weight * alpha * alpha;
            _a += weight * alpha * value;
        }

        if (coherency)
        {
            _gb += weight * gamma * beta;
            _bb += weight * beta * beta;
            _b += weight * beta * value;
        }

        if (contention && coherency)
            _ab += weight * alpha * beta;
    }

    /// <summary>Solves them by Cholesky's decomposition of the scaled matrix.</summary>
    /// <param name="damping">Marquardt's: what the diagonal is raised by, as a share of itself.</param>
    public (double Gamma, double Alpha, double Beta) Solve(double damping)
    {
        // A parameter that is held has an empty row: a one on the diagonal keeps it at 0. Scaling by the diagonal keeps N^2 terms from swamping gamma's.
        var (sg, sa, sb) = (Scale(_gg), Scale(_aa), Scale(_bb));
        var raised = 1 + damping;
        var (ga, gb, ab) = (_ga * sg * sa, _gb * sg * sb, _ab * sa * sb);

        var l11 = Math.Sqrt(raised);
        var (l21, l31) = (ga / l11, gb / l11);
        var l22 = Math.Sqrt(Positive(raised - (l21 * l21)));
        var l32 = (ab - (l31 * l21)) / l22;
        var l33 = Math.Sqrt(Positive(raised - (l31 * l31) - (l32 * l32)));

        var y1 = _g * sg / l11;
        var y2 = ((_a * sa) - (l21 * y1)) / l22;
        var y3 = ((_b * sb) - (l31 * y1) - (l32 * y2)) / l33;
        var z3 = y3 / l33;
        var z2 = (y2 - (l32 * z3)) / l22;
        var z1 = (y1 - (l21 * z2) - (l31 * z3)) / l11;
        return (z1 * sg, z2 * sa, z3 * sb);
    }

    private static double Scale(double diagonal) => diagonal > 0 ? 1 / Math.Sqrt(diagonal) : 0;

    private static double Positive(double pivot) => Math.Max(pivot, 1e-14);
}
