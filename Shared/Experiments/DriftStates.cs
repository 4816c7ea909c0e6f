using MathNet.Numerics.Distributions;

namespace ScaleOut.Experiments;

/// <summary>
/// Runs whose own limits follow each other: an AR(1) process, cut into equally probable states from the lowest own limit to the highest.
/// </summary>
internal sealed class DriftStates
{
    private const int Count = 8;

    /// <summary>Places within a state over which its transitions are averaged.</summary>
    private const int PlacesPerState = 16;

    /// <summary>Probability of each next state, by state.</summary>
    private readonly double[] _transitions = new double[Count * Count];

    /// <param name="correlation">Correlation of the own limits of neighbouring runs, above 0 and below 1.</param>
    public DriftStates(double correlation)
    {
        var deviation = Math.Sqrt(1 - (correlation * correlation));
        for (var place = 0; place < Count * PlacesPerState; place++)
        {
            var mean = correlation * Normal.InvCDF(0, 1, (place + 0.5) / (Count * PlacesPerState));
            double below = 0;
            for (var next = 0; next < Count; next++)
            {
                var upTo = next == Count - 1 ? 1 : Normal.CDF(mean, deviation, Normal.InvCDF(0, 1, (next + 1.0) / Count));
                _transitions[(place / PlacesPerState * Count) + next] += (upTo - below) / PlacesPerState;
                below = upTo;
            }
        }
    }

    /// <summary>Logarithm of the probability of the measured runs, in their order.</summary>
    /// <param name="held">Share of own limits above the logarithm of a rate.</param>
    /// <param name="chance">Chance to hold, lapses included, where such a share of the own limits lies above the rate.</param>
    public double LogLikelihood(IReadOnlyList<LimitPoint> points, Func<double, double> held, Func<double, double> chance)
    {
        Span<double> now = stackalloc double[Count];
        Span<double> next = stackalloc double[Count];
        now.Fill(1.0 / Count);
        double likelihood = 1;
        foreach (var point in points)
        {
            var above = Count * held(point.X);
            double sum = 0;
            for (var state = 0; state < Count; state++)
            {
                // The states at the top are the first that lie above the rate.
                var holds = chance(Math.Clamp(above - (Count - 1 - state), 0, 1));
                now[state] *= point.Held ? holds : 1 - holds;
                sum += now[state];
            }

            likelihood *= sum;
            next.Clear();
            for (var state = 0; state < Count; state++)
            {
                var share = now[state] / sum;
                for (var other = 0; other < Count; other++)
                    next[other] += share * _transitions[(state * Count) + other];
            }

            next.CopyTo(now);
        }

        return Math.Log(likelihood);
    }
}
