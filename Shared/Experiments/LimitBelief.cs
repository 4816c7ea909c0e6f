namespace ScaleOut.Experiments;

/// <summary>
/// How probable it is, after some measurements, that the limit lies between two neighbouring rates (Bayes' rule). A measurement is taken to
/// come out by the limit of its own run, which differs from the limit by 1% or so (<see cref="Spread"/>), and in 3 of 100 to come out the
/// other way for another reason (<see cref="Lapse"/>); each for itself. Before any measurement, the limit is equally probable in equal
/// factors of the rate, up to four times beyond what was tried.
/// </summary>
public sealed class LimitBelief
{
    /// <summary>
    /// Scale of the logistic distribution of a run's own limit around the limit, as a share of it. A rate that is 4% below the limit holds
    /// in 95 of 100 runs, a rate at the limit in every second one.
    /// </summary>
    public const double Spread = 0.01;

    /// <summary>Probability with which a run comes out the other way for a reason that has nothing to do with its rate.</summary>
    public const double Lapse = 0.03;

    /// <summary>Factor of the rate that stands for all rates beyond the highest and below the lowest.</summary>
    private const double OpenFactor = 2;

    /// <summary>Factor of the rate that a gap counts as at most: where nothing was tried, the near end is more probable.</summary>
    private const double WidestFactor = 4;

    private const int Nodes = 8;

    /// <summary>Logarithm of the factor within which a rate's own measurements leave it open on which side the limit is.</summary>
    private const double Edge = 4 * Spread;

    private LimitBelief(IReadOnlyList<LimitGap> gaps, int best) => (Gaps, Best) = (gaps, best);

    /// <summary>
    /// From below the lowest rate to beyond the highest; neighbours share an end. Their probabilities add up to 1.
    /// </summary>
    public IReadOnlyList<LimitGap> Gaps { get; }

    /// <summary>
    /// Index of the gap that explains the measurements best, however narrow it is: width says where to look, not what was seen.
    /// </summary>
    public int Best { get; }

    /// <summary>What measurements say.</summary>
    public static LimitBelief From(LimitSpec spec, IReadOnlyList<RateTally> tallies)
    {
        List<double> ends = [.. tallies.Select(tally => tally.Rate).Append(LimitSpec.MinRate).Append(spec.LastRate).Distinct().Order()];
        var ranges = new List<(double Low, double High)>();
        for (var gap = 0; gap <= ends.Count; gap++)
            ranges.Add((gap == 0 ? ends[0] / OpenFactor : ends[gap - 1], gap == ends.Count ? ends[^1] * OpenFactor : ends[gap]));
        var likelihoods = ranges.Select(range => Likelihood(tallies, Math.Log(range.Low), Math.Log(range.High))).ToList();
        var widths = ranges.Select(range => Math.Log(Math.Min(range.High / range.Low, WidestFactor)));
        var weights = likelihoods.Zip(widths, (likelihood, width) => likelihood * width).ToList();
        var sum = weights.Sum();
        var gaps = weights.Select((weight, gap) => new LimitGap(
            gap == 0 ? null : ends[gap - 1], gap == ends.Count ? null : ends[gap], weight / sum)).ToList();
        return new LimitBelief(gaps, likelihoods.IndexOf(likelihoods.Max()));
    }

    /// <summary>
    /// The narrowest run of gaps around the best one that holds the limit with a probability: it grows to the side that is more probable.
    /// </summary>
    /// <returns>Indices of its first and last gap.</returns>
    public (int First, int Last) Region(double confidence)
    {
        var (first, last) = (Best, Best);
        var probability = Gaps[Best].Probability;
        while (probability < confidence && (first > 0 || last < Gaps.Count - 1))
        {
            var below = first > 0 ? Gaps[first - 1].Probability : -1;
            var above = last < Gaps.Count - 1 ? Gaps[last + 1].Probability : -1;
            probability += below >= above ? Gaps[--first].Probability : Gaps[++last].Probability;
        }

        return (first, last);
    }

    /// <summary>Probability that the limit lies below a gap.</summary>
    public double Below(int gap) => Gaps.Take(gap).Sum(one => one.Probability);

    /// <summary>Probability that it lies above a gap.</summary>
    public double Above(int gap) => Gaps.Skip(gap + 1).Sum(one => one.Probability);

    /// <summary>Probability of the measurements, on average over the limits between two logarithms of rates.</summary>
    private static double Likelihood(IReadOnlyList<RateTally> tallies, double low, double high)
    {
        // Near its ends more nodes: there the likelihood changes.
        double[] cuts = high - low > 3 * Edge ? [low, low + Edge, high - Edge, high] : [low, high];
        double sum = 0;
        for (var cut = 1; cut < cuts.Length; cut++)
        {
            var width = (cuts[cut] - cuts[cut - 1]) / Nodes;
            for (var node = 0; node < Nodes; node++)
                sum += width * At(tallies, cuts[cut - 1] + ((node + 0.5) * width));
        }

        return sum / (high - low);
    }

    /// <summary>Probability of the measurements where the limit has this logarithm.</summary>
    private static double At(IReadOnlyList<RateTally> tallies, double limit)
    {
        double logarithm = 0;
        foreach (var tally in tallies)
        {
            var holds = Lapse + ((1 - (2 * Lapse)) / (1 + Math.Exp((Math.Log(tally.Rate) - limit) / Spread)));
            logarithm += (tally.Held * Math.Log(holds)) + (tally.Failed * Math.Log(1 - holds));
        }

        return Math.Exp(logarithm);
    }
}

/// <summary>The limit may lie between two neighbouring rates.</summary>
/// <param name="Low">Null below all rates.</param>
/// <param name="High">Null beyond all rates.</param>
/// <param name="Probability">0 to 1.</param>
public sealed record LimitGap(double? Low, double? High, double Probability);

/// <summary>What all measurements at one rate say of it.</summary>
/// <param name="Failed">Measurements in which it did not.</param>
public sealed record RateTally(double Rate, int Held, int Failed)
{
    /// <summary>Measurements that say something.</summary>
    public int Count => Held + Failed;

    /// <summary>The tallies of all rates, ascending.</summary>
    public static IReadOnlyList<RateTally> From(IEnumerable<MeasuredRun> measurements) =>
    [
        .. measurements.Where(measurement => measurement.Held is not null)
            .GroupBy(measurement => measurement.Rate!.Value)
            .Select(group => new RateTally(group.Key, group.Count(one => one.Held == true), group.Count(one => one.Held == false)))
            .OrderBy(tally => tally.Rate),
    ];
}
