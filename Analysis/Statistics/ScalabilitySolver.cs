namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// Constrained nonlinear least squares for the Universal Scalability Law. If the unconstrained minimum has a negative alpha or beta, the
/// constrained one lies on an edge (alpha = 0, beta = 0, or both). So each edge is solved, and the best one within the constraints counts.
/// </summary>
internal static class ScalabilitySolver
{
    /// <summary>
    /// Precision of reported solutions: a solution counts as found when a step changes the rates by less than this share.
    /// </summary>
    public const double Exact = 1e-12;

    /// <summary>Precision of resampled solutions, of which only the spread matters.</summary>
    public const double Quick = 1e-4;

    private const int MaxSteps = 200;
    private const double MaxDamping = 1e8;

    /// <summary>The law with the least sum of weight x (rate - law)^2.</summary>
    /// <param name="levels">At least 3 with different numbers of workers, ascending.</param>
    /// <param name="precision"><see cref="Exact"/> or <see cref="Quick"/>.</param>
    public static ScalabilityLaw Solve(ReadOnlySpan<ScalabilityLevel> levels, double precision = Exact)
    {
        var law = Constrained(levels, precision);
        // A cost within the rounding error of 0 is 0.
        var most = levels[^1].Workers;
        return law with
        {
            Alpha = law.Alpha * most <= Exact ? 0 : law.Alpha,
            Beta = law.Beta * most * most <= Exact ? 0 : law.Beta,
        };
    }

    private static ScalabilityLaw Constrained(ReadOnlySpan<ScalabilityLevel> levels, double precision)
    {
        if (Descend(levels, FreeParameters.Both, precision) is { Law: { Alpha: >= 0, Beta: >= 0 } } inside)
            return inside.Law;

        var (contention, coherency) = (Edge(levels, FreeParameters.Alpha, precision), Edge(levels, FreeParameters.Beta, precision));
        // A law with alpha = beta = 0 is a special case of both edges. So it is the best one only if both edges break the constraints.
        return contention is null && coherency is null ? Descend(levels, FreeParameters.None, precision)!.Value.Law
            : coherency is null || contention?.Error <= coherency.Value.Error ? contention!.Value.Law
            : coherency.Value.Law;
    }

    private static (ScalabilityLaw Law, double Error)? Edge(ReadOnlySpan<ScalabilityLevel> levels, FreeParameters free, double precision) =>
        Descend(levels, free, precision) is { Law: { Alpha: >= 0, Beta: >= 0 } } edge ? edge : null;

    /// <summary>Sum of weight x (rate - law)^2; infinite where the law has no positive rate.</summary>
    public static double ErrorOf(ReadOnlySpan<ScalabilityLevel> levels, ScalabilityLaw law) =>
        ErrorOf(levels, law.Alpha, law.Beta, law.Gamma);

    private static double ErrorOf(ReadOnlySpan<ScalabilityLevel> levels, double alpha, double beta, double gamma)
    {
        var sum = 0.0;
        foreach (var (workers, rate, weight, _) in levels)
        {
            var slowing = 1 + ((alpha + (beta * workers)) * (workers - 1));
            if (slowing <= 0)
                return double.PositiveInfinity;
            var residual = rate - (gamma * workers / slowing);
            sum += weight * residual * residual;
        }

        return sum;
    }

    /// <summary>
    /// Levenberg and Marquardt's descent over gamma and the free parameters; null if the law to start from has no positive rates.
    /// </summary>
    private static (ScalabilityLaw Law, double Error)? Descend(ReadOnlySpan<ScalabilityLevel> levels, FreeParameters free, double precision)
    {
        var (gamma, alpha, beta) = Start(levels, free);
        var error = ErrorOf(levels, alpha, beta, gamma);
        if (!double.IsFinite(error))
            return null;

        var most = levels[^1].Workers;
        var damping = 0.0;
        for (var step = 0; step < MaxSteps && damping < MaxDamping; step++)
        {
            var change = Linearized(levels, alpha, beta, gamma).Solve(free, damping);
            var settled = Math.Abs(change.Gamma) <= precision * gamma
                && Math.Abs(change.Alpha) * most <= precision
                && Math.Abs(change.Beta) * most * most <= precision;
            var nextError = gamma + change.Gamma > 0
                ? ErrorOf(levels, alpha + change.Alpha, beta + change.Beta, gamma + change.Gamma)
                : double.PositiveInfinity;
            if (nextError <= error)
                (gamma, alpha, beta, error, damping) = (
                    gamma + change.Gamma, alpha + change.Alpha, beta + change.Beta, nextError, damping / 10);
            else
                damping = Math.Max(damping * 10, 1e-4);
            if (settled)
                break;
        }

        return (new ScalabilityLaw(alpha, beta, gamma), error);
    }

    /// <summary>N / X is a polynomial of N, so weighted linear least squares gives a law that is near the minimum already.</summary>
    private static (double Gamma, double Alpha, double Beta) Start(ReadOnlySpan<ScalabilityLevel> levels, FreeParameters free)
    {
        var equations = new NormalEquations();
        foreach (var (workers, rate, weight, _) in levels)
        {
            // An error of X is the error of N / X, times X^2 / N.
            var root = rate * rate / workers;
            equations.Add(weight * root * root, workers / rate, 1, workers - 1, workers * (workers - 1));
        }

        var (inverse, alpha, beta) = equations.Solve(free, damping: 0);
        return inverse > 0 && double.IsFinite(ErrorOf(levels, alpha / inverse, beta / inverse, 1 / inverse))
            ? (1 / inverse, alpha / inverse, beta / inverse)
            : (levels[0].Rate / levels[0].Workers, 0, 0);
    }

    private static NormalEquations Linearized(ReadOnlySpan<ScalabilityLevel> levels, double alpha, double beta, double gamma)
    {
        var equations = new NormalEquations();
        foreach (var (workers, rate, weight, _) in levels)
        {
            var share = workers / (1 + ((alpha + (beta * workers)) * (workers - 1)));
            var slope = -gamma * share * share * (workers - 1) / workers;
            equations.Add(weight, rate - (gamma * share), share, slope, slope * workers);
        }

        return equations;
    }
}

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

    /// <summary>Solves the equations by Cholesky's decomposition.</summary>
    /// <param name="free">Which of alpha and beta are unknowns; the others stay 0.</param>
    /// <param name="damping">Marquardt's damping: the share by which the diagonal is raised.</param>
    public readonly (double Gamma, double Alpha, double Beta) Solve(FreeParameters free, double damping)
    {
        // The matrix is scaled to have ones on its diagonal, so that the N^2 terms do not swamp gamma's. A parameter that is held at 0 has
        // a scale of 0.
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
