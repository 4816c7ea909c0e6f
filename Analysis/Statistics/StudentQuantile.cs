using MathNet.Numerics;
using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>How far Student's t reaches to both sides of 0.</summary>
internal static class StudentQuantile
{
    /// <summary>
    /// Where the search of <see cref="StudentT.InvCDF"/> ends; few degrees of freedom reach much farther at a high confidence.
    /// </summary>
    private const double Searched = 800;

    /// <summary>Of smaller probabilities that search misses the third digit.</summary>
    private const double LeastSearched = 1e-6;

    private const int Halvings = 100;

    /// <summary>The value that t exceeds, in size, with a probability of 1 - confidence.</summary>
    /// <param name="freedom">Degrees of freedom, above 0; need not be whole.</param>
    /// <param name="confidence">Above 0 and below 1.</param>
    public static double At(double freedom, double confidence)
    {
        // |t| exceeds a value with the probability I(f / (f + t^2)), I being the regularized incomplete beta function.
        var beyond = 1 - confidence;
        double Share(double logX) => SpecialFunctions.BetaRegularized(freedom / 2, 0.5, Math.Exp(logX));
        if (beyond >= LeastSearched && Share(Math.Log(freedom / (freedom + (Searched * Searched)))) <= beyond)
            return StudentT.InvCDF(0, 1, freedom, 0.5 + (confidence / 2));

        var (low, high) = (-1.0, 0.0);
        while (Share(low) > beyond)
            low *= 2;
        for (var halving = 0; halving < Halvings; halving++)
        {
            var middle = (low + high) / 2;
            (low, high) = Share(middle) > beyond ? (low, middle) : (middle, high);
        }

        return Math.Sqrt(freedom * ((1 / Math.Exp(low)) - 1));
    }
}
