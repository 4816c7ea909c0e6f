using MathNet.Numerics;

namespace ScaleOut.Analysis.Limits;

/// <summary>
/// Estimates the limit from the runs that held their rate and those that did not, by Bayes' rule. Each run has a limit of its own, which
/// scatters around the limit, above it perhaps farther than below it. Some runs lapse: they fail below the limit, or hold above it, for
/// another reason. The runs show how large the scatter is, what form it has and how frequent lapses are.
/// </summary>
/// <remarks>
/// The chance to hold falls along a logistic curve of the rate's logarithm, or above the limit along a flatter one
/// (<see cref="HoldForm"/>). At the limit it is one half, without lapses. The estimate uses only whether runs held, so it assumes nothing
/// about how a latency grows with the rate.
/// </remarks>
internal sealed class HoldCurve
{
    /// <summary>
    /// Scales of the logistic curve, as shares of the rate. All have the same prior probability. Their number is a multiple of that of the
    /// doubles in a vector register, because all are calculated at once.
    /// </summary>
    private static readonly double[] Spreads = [0.003, 0.006, 0.012, 0.024, 0.048, 0.096, 0.19, 0.38];

    /// <summary>
    /// What the runs may have in common, with its prior probability. Neighbours with the same curve are calculated together. Where noise
    /// grows steeply with the rate, or where the machine has two states, the chance to hold falls slowly above the limit.
    /// </summary>
    private static readonly HoldForm[] Forms =
    [
        new(Fails: 0.01, Holds: 0.01, Weight: 0.29),
        new(Fails: 0.08, Holds: 0.01, Weight: 0.17),
        new(Fails: 0.2, Holds: 0.01, Weight: 0.12),
        new(Fails: 0.05, Holds: 0.05, Weight: 0.12),
        new(Fails: 0.35, Holds: 0.01, Weight: 0.1),
        new(Fails: 0.03, Holds: 0.01, Weight: 0.05) { Plateau = 0.25 },
        new(Fails: 0.01, Holds: 0.01, Weight: 0.08) { Plateau = 0.4 },
        new(Fails: 0.01, Holds: 0.01, Weight: 0.07) { Stretch = 10 },
    ];

    /// <summary>
    /// The limits of the runs if the limit drifts, with the correlation of neighbours. Drift and no drift have the same prior probability.
    /// </summary>
    private static readonly DriftStates Drift = new(correlation: 0.97);

    /// <summary>Standard deviation of the logistic distribution with scale 1.</summary>
    private const double DeviationOfScale = 1.814;

    /// <summary>Distance beyond the lowest and the highest rate in which the limit may lie, as the logarithm of a factor.</summary>
    private const double OpenWidth = 0.7;

    /// <summary>Number of candidate limits in each gap between two neighbouring rates.</summary>
    private const int NodesPerGap = 4;

    private readonly double[] _nodes;
    private readonly double[] _widths;

    /// <summary>Number of kinds of runs: independent ones, and if the limit may drift, also those with a drift.</summary>
    private readonly int _kinds;

    /// <summary>Probability of each combination of limit, kind of runs, lapses and spread, in this order.</summary>
    private readonly double[] _weights;

    private HoldCurve(IReadOnlyList<LimitPoint> points, double weightOfRun, bool mayDrift)
    {
        var rates = points.Select(point => point.X).Distinct().Order().ToArray();
        (_nodes, _widths) = NodesOf(rates);
        _kinds = mayDrift ? 2 : 1;
        _weights = LogLikelihoods(points, rates, weightOfRun);
        var best = _weights.Max();
        var ofSpreads = new double[Spreads.Length];
        var rest = _weights.AsSpan();
        double sum = 0;
        for (var part = 0; rest.Length > 0; part++)
        {
            var (node, kind, form) = PartsOf(part);
            var share = Weigh(Take(ref rest), best, _widths[node] * Forms[form].Weight / (Spreads.Length * _kinds), ofSpreads);
            sum += share;
            LapseShare += share * Forms[form].Fails;
            DriftProbability += kind > 0 ? share : 0;
        }

        (LapseShare, DriftProbability) = (LapseShare / sum, DriftProbability / sum);
        Spread = Math.Exp(ofSpreads.Zip(Spreads, (weight, spread) => weight * Math.Log(spread)).Sum() / sum);
        for (var i = 0; i < _weights.Length; i++)
            _weights[i] /= sum;
        var held = points.Count(point => point.Held);
        LogEvidence = Math.Log(sum / _widths.Sum()) + best
            - SpecialFunctions.BetaLn((weightOfRun * held) + 1, (weightOfRun * (points.Count - held)) + 1);
    }

    /// <summary>Scale of the logistic curve, as a share of the rate.</summary>
    public double Spread { get; }

    /// <summary>Standard deviation of the runs' own limits, as a share of the limit.</summary>
    public double Deviation => DeviationOfScale * Spread;

    /// <summary>Share of the runs that fail below the limit for another reason.</summary>
    public double LapseShare { get; }

    /// <summary>Probability that the limits of neighbouring runs are correlated; 0 for a curve without drift.</summary>
    public double DriftProbability { get; }

    /// <summary>
    /// Logarithm of the Bayes factor for a limit, against the same chance to hold at every rate. If there is no limit, the probability
    /// that this ever reaches x is at most exp(-x), however often it is computed.
    /// </summary>
    public double LogEvidence { get; }

    /// <param name="points">At least one.</param>
    /// <param name="weightOfRun">Below 1 if runs resemble their neighbours, because then they show as much as fewer independent runs.
    /// </param>
    public static HoldCurve From(IReadOnlyList<LimitPoint> points, double weightOfRun = 1) => new(points, weightOfRun, mayDrift: false);

    /// <summary>
    /// Fits a curve whose limit may drift as an AR(1) process. Its interval includes any drift that the runs do not rule out.
    /// </summary>
    /// <param name="points">At least one, in the order of the runs.</param>
    public static HoldCurve WithDrift(IReadOnlyList<LimitPoint> points) => new(points, 1, mayDrift: true);

    /// <summary>Logarithm of the rate below which the limit lies with the given probability.</summary>
    public double Quantile(double probability)
    {
        var perNode = _weights.Length / _nodes.Length;
        double below = 0;
        for (var node = 0; node < _nodes.Length; node++)
        {
            double own = 0;
            for (var i = node * perNode; i < (node + 1) * perNode; i++)
                own += _weights[i];
            if (below + own >= probability)
                return _nodes[node] + (_widths[node] * (((probability - below) / own) - 0.5));
            below += own;
        }

        return _nodes[^1] + (_widths[^1] / 2);
    }

    /// <summary>Chance to hold at the logarithm of a rate: its mean and its interval.</summary>
    public (double Mean, double Low, double High) ChanceAt(double x, double confidence)
    {
        var chances = new (double Chance, double Weight)[_weights.Length];
        var held = new double[Spreads.Length];
        double mean = 0;
        for (var i = 0; i < chances.Length; i++)
        {
            var (part, spread) = Math.DivRem(i, Spreads.Length);
            var (node, _, form) = PartsOf(part);
            if (spread == 0)
                Forms[form].HeldAt(x - _nodes[node], Spreads, held);
            chances[i] = (Forms[form].ChanceOf(held[spread]), _weights[i]);
            mean += chances[i].Chance * chances[i].Weight;
        }

        Array.Sort(chances, (first, second) => first.Chance.CompareTo(second.Chance));
        return (mean, At((1 - confidence) / 2), At((1 + confidence) / 2));

        double At(double probability)
        {
            double below = 0;
            foreach (var (chance, weight) in chances)
            {
                below += weight;
                if (below >= probability)
                    return chance;
            }

            return chances[^1].Chance;
        }
    }

    private static (double[] Nodes, double[] Widths) NodesOf(double[] rates)
    {
        var count = (rates.Length + 1) * NodesPerGap;
        var (nodes, widths) = (new double[count], new double[count]);
        for (var i = 0; i < count; i++)
        {
            var gap = i / NodesPerGap;
            var low = gap == 0 ? rates[0] - OpenWidth : rates[gap - 1];
            var high = gap == rates.Length ? rates[^1] + OpenWidth : rates[gap];
            widths[i] = (high - low) / NodesPerGap;
            nodes[i] = low + (widths[i] * ((i % NodesPerGap) + 0.5));
        }

        return (nodes, widths);
    }

    /// <summary>The limit, kind of runs and form of a part of the weights. A part has one weight for each spread.</summary>
    private (int Node, int Kind, int Form) PartsOf(int part)
    {
        var (rest, form) = Math.DivRem(part, Forms.Length);
        var (node, kind) = Math.DivRem(rest, _kinds);
        return (node, kind, form);
    }

    /// <summary>
    /// Replaces the logarithms of a part by weights, and adds these to the weights of the spreads. Returns the sum of the part's weights.
    /// </summary>
    /// <param name="best">Largest of all logarithms.</param>
    /// <param name="prior">Prior weight of the part.</param>
    private static double Weigh(Span<double> logarithms, double best, double prior, Span<double> ofSpreads)
    {
        double sum = 0;
        for (var first = 0; first < logarithms.Length; first += Vector<double>.Count)
        {
            var part = logarithms[first..];
            var spreads = ofSpreads[first..];
            var weights = Vector.Exp(new Vector<double>(part) - new Vector<double>(best)) * prior;
            weights.CopyTo(part);
            (new Vector<double>(spreads) + weights).CopyTo(spreads);
            sum += Vector.Sum(weights);
        }

        return sum;
    }

    /// <summary>Logarithms of the probabilities of the measured runs, for each combination.</summary>
    private double[] LogLikelihoods(IReadOnlyList<LimitPoint> points, double[] rates, double weightOfRun)
    {
        var places = points.Select(point => Array.BinarySearch(rates, point.X)).ToArray();
        var holds = points.Select(point => point.Held).ToArray();
        var counts = rates.Select(x => (CountAt(x, held: true), CountAt(x, held: false))).ToArray();
        var logarithms = new double[_nodes.Length * _kinds * Forms.Length * Spreads.Length];
        var (ofRates, ofRuns) = (new double[rates.Length * Spreads.Length], new double[places.Length * Spreads.Length]);
        var rest = logarithms.AsSpan();
        foreach (var node in _nodes)
        {
            for (var form = 0; form < Forms.Length; form++)
            {
                HeldAtRates(node, form);
                Likelihoods(counts, ofRates, Forms[form], Take(ref rest));
            }

            if (_kinds == 1)
                continue;
            for (var form = 0; form < Forms.Length; form++)
            {
                HeldAtRates(node, form);
                for (var run = 0; run < places.Length; run++)
                    ofRates.AsSpan(places[run] * Spreads.Length, Spreads.Length).CopyTo(ofRuns.AsSpan(run * Spreads.Length));
                Drift.Likelihoods(holds, ofRuns, Forms[form], Take(ref rest));
            }
        }

        for (rest = logarithms; rest.Length > 0; rest = rest[Vector<double>.Count..])
            (Vector.Log(new Vector<double>(rest)) * weightOfRun).CopyTo(rest);
        return logarithms;

        void HeldAtRates(double node, int form)
        {
            if (form > 0 && Forms[form].HasCurveOf(Forms[form - 1]))
                return;
            for (var rate = 0; rate < rates.Length; rate++)
                Forms[form].HeldAt(rates[rate] - node, Spreads, ofRates.AsSpan(rate * Spreads.Length, Spreads.Length));
        }

        int CountAt(double x, bool held) => points.Count(point => point.X == x && point.Held == held);
    }

    private static Span<double> Take(ref Span<double> rest)
    {
        var taken = rest[..Spreads.Length];
        rest = rest[Spreads.Length..];
        return taken;
    }

    /// <summary>Probability of independent runs for each spread. A double can represent a product of 150 factors of at least 1%.</summary>
    /// <param name="counts">For each rate, how many runs held and how many failed.</param>
    /// <param name="chances">For each rate and spread, the chance to hold without lapses.</param>
    private static void Likelihoods(
        ReadOnlySpan<(int Held, int Failed)> counts, ReadOnlySpan<double> chances, HoldForm form, Span<double> results)
    {
        for (var first = 0; first < results.Length; first += Vector<double>.Count)
        {
            var product = Vector<double>.One;
            for (var rate = 0; rate < counts.Length; rate++)
            {
                var chance = form.ChanceOf(new Vector<double>(chances[((rate * results.Length) + first)..]));
                for (var run = 0; run < counts[rate].Held; run++)
                    product *= chance;
                chance = Vector<double>.One - chance;
                for (var run = 0; run < counts[rate].Failed; run++)
                    product *= chance;
            }

            product.CopyTo(results[first..]);
        }
    }
}
