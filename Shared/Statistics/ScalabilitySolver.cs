namespace ScaleOut.Statistics;

/// <summary>
/// Constrained nonlinear least squares for the Universal Scalability Law. Where the unconstrained minimum has a negative alpha or beta, the constrained one lies
/// on an edge (alpha = 0, beta = 0, or both), so each edge is solved and the best that keeps the constraints is taken.
/// </summary>
internal static class ScalabilitySolver
{
    private const int MostSteps = 200;
    private const double Precision = 1e-13;

    /// <summary>The law with the least sum of count x (rate - law)^2.</summary>
    /// <param name="levels">At least 3 with different numbers of workers.</param>
    public static ScalabilityLaw Solve(ReadOnlySpan<ScalabilityLevel> levels)
    {
        if (Descend(levels, contention: true, coherency: true) is { Alpha: >= 0, Beta: >= 0 } inside)
            return inside;

        var best = Descend(levels, contention: false, coherency: false)!;
        var bestError = ErrorOf(levels, best);
        foreach (var contention in (ReadOnlySpan<bool>)[true, false])
        {
            if (Descend(levels, contention, !contention) is { Alpha: >= 0, Beta: >= 0 } edge && ErrorOf(levels, edge) is var error && error < bestError)
                (best, bestError) = (edge, error);
        }

        return best;
    }

    /// <summary>Sum of count x (rate - law)^2; infinite where the law has no positive rate.</summary>
    public static double ErrorOf(ReadOnlySpan<ScalabilityLevel> levels, ScalabilityLaw law)
    {
        var sum = 0.0;
        foreach (var (workers, rate, count) in levels)
        {
            var slowing = 1 + (law.Alpha * (workers - 1)) + (law.Beta * workers * (workers - 1));
            if (slowing <= 0)
                return double.PositiveInfinity;
            var residual = rate - (law.Gamma * workers / slowing);
            sum += count * residual * residual;
        }

        return sum;
    }

    /// <summary>Levenberg and Marquardt's descent over gamma and the parameters that are free; null when it finds no law with positive rates.</summary>
    private static ScalabilityLaw? Descend(ReadOnlySpan<ScalabilityLevel> levels, bool contention, bool coherency)
    {
        var law = Start(levels, contention, coherency);
        var error = ErrorOf(levels, law);
        if (!double.IsFinite(error))
            return null;

        var damping = 1e-4;
        for (var step = 0; step < MostSteps && damping < 1e12; step++)
        {
            var equations = Linearized(levels, law, contention, coherency);
            var change = equations.Solve(damping);
            var next = new ScalabilityLaw(law.Alpha + change.Alpha, law.Beta + change.Beta, law.Gamma + change.Gamma);
            var nextError = next.Gamma > 0 ? ErrorOf(levels, next) : double.PositiveInfinity;
            if (!(nextError <= error))
            {
                damping *= 10;
                continue;
            }

            var settled = Math.Abs(change.Gamma) <= Precision * law.Gamma && Math.Abs(change.Alpha) <= Precision && Math.Abs(change.Beta) <= Precision * 1e-2;
            (law, error, damping) = (next, nextError, damping / 10);
            if (settled)
                break;
        }

        return law;
    }

    /// <summary>N / X is a polynomial of N, so weighted linear least squares gives a law that is near the minimum already.</summary>
    private static ScalabilityLaw Start(ReadOnlySpan<ScalabilityLevel> levels, bool contention, bool coherency)
    {
        var equations = new NormalEquations(contention, coherency);
        foreach (var (workers, rate, count) in levels)
        {
            // An error of X is one of N / X times X^2 / N.
            var weight = count * Math.Pow(rate * rate / workers, 2);
            equations.Add(weight, workers / rate, 1, workers - 1, workers * (workers - 1.0));
        }

        var (inverse, alpha, beta) = equations.Solve(damping: 0);
        if (inverse > 0 && double.IsFinite(alpha) && double.IsFinite(beta))
        {
            var law = new ScalabilityLaw(alpha / inverse, beta / inverse, 1 / inverse);
            if (double.IsFinite(ErrorOf(levels, law)))
                return law;
        }

        return new ScalabilityLaw(0, 0, levels[0].Rate / levels[0].Workers);
    }

    private static NormalEquations Linearized(ReadOnlySpan<ScalabilityLevel> levels, ScalabilityLaw law, bool contention, bool coherency)
    {
        var equations = new NormalEquations(contention, coherency);
        foreach (var (workers, rate, count) in levels)
        {
            var efficiency = law.EfficiencyAt(workers);
            var value = law.Gamma * workers * efficiency;
            equations.Add(count, rate - value, workers * efficiency, -value * efficiency * (workers - 1), -value * efficiency * workers * (workers - 1));
        }

        return equations;
    }
}
