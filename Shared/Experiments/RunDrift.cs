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

    /// <summary>The same where all that is known is that a run held: that shows only part of what runs have in common.</summary>
    private const double MinErrorsOfOutcomes = 1.6;
    private const double MaxInflationOfOutcomes = 1.5;

    /// <summary>The weights leave out part of what distant runs have in common.</summary>
    private const double LeftOut = 1.3;

    /// <param name="residuals">In the order of the runs.</param>
    /// <param name="areOutcomes">Whether they are of runs that held or failed, and not of a figure.</param>
    public static RunDrift From(IReadOnlyList<double> residuals, bool areOutcomes)
    {
        double products = 0, weights = 0, squaredWeights = 0, carried = 0;
        var squares = residuals.Sum(residual => residual * residual);
        if (residuals.Count < 3 || squares <= 0)
            return new RunDrift(1, false);
        for (var i = 0; i < residuals.Count; i++)
        {
            products += carried * residuals[i];
            carried = Decay * (carried + residuals[i]);
            for (var lag = 1; lag <= i; lag++)
            {
                weights += Math.Pow(Decay, lag);
                squaredWeights += Math.Pow(Decay, 2 * lag);
            }
        }

        // Residuals of a fit add up to 0, so two of them are opposed on average.
        var n = residuals.Count;
        var excess = (2 * products / squares) + (2 * weights / (n * (n - 1.0)));
        var error = 2 * Math.Sqrt(squaredWeights) / n;
        var (errors, most) = areOutcomes ? (MinErrorsOfOutcomes, MaxInflationOfOutcomes) : (MinErrors, MaxInflation);
        return new RunDrift(1 + (LeftOut * Math.Max(0, excess)), excess > errors * error && excess > most - 1);
    }
}
