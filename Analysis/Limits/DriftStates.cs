using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Limits;

/// <summary>
/// A hidden Markov model of a limit that drifts from run to run. Each run has a limit of its own, and these follow an AR(1) process. The
/// process is cut into equally probable states, from the lowest limit to the highest.
/// </summary>
internal sealed class DriftStates
{
    /// <summary>Number of states.</summary>
    private const int Count = 8;

    /// <summary>Number of points within a state over which its transition probabilities are averaged.</summary>
    private const int PlacesPerState = 16;

    /// <summary>Transition probabilities, one row for each next state.</summary>
    private readonly double[] _transitions = new double[Count * Count];

    /// <param name="correlation">Correlation between the limits of neighbouring runs, above 0 and below 1.</param>
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
                _transitions[(next * Count) + (place / PlacesPerState)] += (upTo - below) / PlacesPerState;
                below = upTo;
            }
        }
    }

    /// <summary>
    /// Probability of the measured runs in their order, for each of several distributions of their limits. A double can represent it for
    /// 150 runs with a probability of at least 1% each.
    /// </summary>
    /// <param name="held">Whether each run held its rate.</param>
    /// <param name="above">For each run and distribution, the share of all runs' limits that lie above its rate.</param>
    /// <param name="results">One for each distribution. Their number is a multiple of that of the doubles in a vector register.</param>
    public void Likelihoods(
        ReadOnlySpan<bool> held, ReadOnlySpan<double> above, HoldForm form, Span<double> results)
    {
        Span<Vector<double>> now = stackalloc Vector<double>[Count];
        Span<Vector<double>> next = stackalloc Vector<double>[Count];
        var (ifNone, ifAll) = (form.ChanceOf(Vector<double>.Zero), form.ChanceOf(Vector<double>.One));
        for (var first = 0; first < results.Length; first += Vector<double>.Count)
        {
            now.Fill(new Vector<double>(1.0 / Count));
            for (var run = 0; run < held.Length; run++)
            {
                // The limits above the rate fill the states from the top down.
                var share = (Count * new Vector<double>(above[((run * results.Length) + first)..])) - new Vector<double>(Count - 1);
                var (none, all) = held[run] ? (ifNone, ifAll) : (Vector<double>.One - ifNone, Vector<double>.One - ifAll);
                for (var state = 0; state < Count; state++)
                {
                    now[state] *= none + ((all - none) * Vector.Clamp(share, Vector<double>.Zero, Vector<double>.One));
                    share += Vector<double>.One;
                }

                for (var state = 0; state < Count; state++)
                    next[state] = Sum(now, _transitions.AsSpan(state * Count, Count));
                var last = now;
                now = next;
                next = last;
            }

            var sum = Vector<double>.Zero;
            foreach (var part in now)
                sum += part;
            sum.CopyTo(results[first..]);
        }
    }

    private static Vector<double> Sum(ReadOnlySpan<Vector<double>> values, ReadOnlySpan<double> factors)
    {
        var (even, odd) = (Vector<double>.Zero, Vector<double>.Zero);
        for (var i = 0; i < Count; i += 2)
        {
            even = Vector.FusedMultiplyAdd(values[i], new Vector<double>(factors[i]), even);
            odd = Vector.FusedMultiplyAdd(values[i + 1], new Vector<double>(factors[i + 1]), odd);
        }

        return even + odd;
    }
}
