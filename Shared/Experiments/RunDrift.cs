namespace ScaleOut.Experiments;

/// <summary>Whether runs resemble those before and after them, as they do where the limit moves while it is measured.</summary>
/// <param name="Inflation">By how much fewer the runs say than as many that do not resemble each other, at least 1.</param>
/// <param name="IsShown">Whether they resemble each other so much that no interval can be given.</param>
internal readonly record struct RunDrift(double Inflation, bool IsShown)
{
    /// <summary>Weight of the product of neighbouring residuals; of those further apart its powers.</summary>
    private const double Decay = 0.8;

    /// <summary>Standard errors from which a resemblance is no chance, and the inflation that is too much to allow for.</summary>
    private const double MinErrors = 2.2;
    private const double MaxInflation = 2;

    /// <summary>The weights leave out part of what distant runs have in common.</summary>
    private const double LeftOut = 1.3;

    /// <param name="residuals">In the order of the runs.</param>
    public static RunDrift From(IReadOnlyList<double> residuals)
    {
        double products = 0, carried = 0;
        var squares = residuals.Sum(residual => residual * residual);
        if (residuals.Count < 3 || squares <= 0)
            return new RunDrift(1, false);
        foreach (var residual in residuals)
        {
            products += carried * residual;
            carried = Decay * (carried + residual);
        }

        // Residuals of a fit add up to 0, so two of them are opposed on average.
        var n = residuals.Count;
        var excess = (2 * products / squares) + (2 * SumOfWeights(Decay, n) / (n * (n - 1.0)));
        var error = 2 * Math.Sqrt(SumOfWeights(Decay * Decay, n)) / n;
        return new RunDrift(1 + (LeftOut * Math.Max(0, excess)), excess > MinErrors * error && excess > MaxInflation - 1);
    }

    /// <summary>Of a weight's powers by the distance of two runs, over all pairs of n runs.</summary>
    private static double SumOfWeights(double weight, int n) => weight / (1 - weight) * (n - ((1 - Math.Pow(weight, n)) / (1 - weight)));
}
