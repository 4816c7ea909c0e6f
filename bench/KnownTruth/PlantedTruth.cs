using ScaleOut.Analysis.Limits;

namespace ScaleOut.Bench.KnownTruth;

/// <summary>A system whose limit is known. A seed decides the result of each run of a search, in virtual time.</summary>
/// <param name="Start">
/// Begins a search. The function that it returns takes ln(rate / limit) of a run and returns ln(figure / bound). A run holds if that is
/// below 0.
/// </param>
public sealed record PlantedTruth(string Name, Func<Random, Func<double, double>> Start)
{
    /// <summary>Whether a limit exists. If none does, any interval is wrong. Default true.</summary>
    public bool HasLimit { get; init; } = true;

    /// <summary>Whether runs resemble each other. A search may then report a drift instead of an interval.</summary>
    public bool Drifts { get; init; }

    /// <summary>Whether the search gets the figure, and not only whether the run held. Default true.</summary>
    public bool HasFigure { get; init; } = true;

    /// <summary>The limit. Null if each search has its own, between 300 and 9,000 per second.</summary>
    public double? Limit { get; init; }

    /// <summary>
    /// Whether the chance to hold falls steeply below the limit and slowly above it. The intervals alone are then also counted, because
    /// searches without one must not make up for intervals that miss.
    /// </summary>
    public bool IsSlowAbove { get; init; }

    /// <summary>Largest allowed share of searches whose interval misses the truth.</summary>
    public double MaxMissed => !HasLimit ? 0.05 : Drifts ? 0.12 : 0.07;

    /// <summary>Runs this many searches, each with a seed of its own.</summary>
    /// <param name="series">Number of the series. Each series has seeds of its own.</param>
    public TruthResult Search(int searches, LimitSpec spec, int series = 0)
    {
        var result = new TruthResult(this);
        for (var i = 0; i < searches; i++)
        {
            var limit = Limit ?? 300 * Math.Pow(30, (i + 0.5) / searches);
            // Consecutive seeds give sequences that begin alike, so the seeds are spread out.
            var random = new Random(unchecked(((i + 1) * 7_919) + (series * 1_000_003)));
            var read = Start(random);
            var runs = new List<MeasuredRun>();
            LimitDecision decision;
            while ((decision = LimitSearch.Next(spec, runs)).End is null)
                runs.Add(RunOf(decision, read(Math.Log(decision.Rate / limit))));
            result.Add(decision, runs.Count, limit);
        }

        return result;
    }

    private MeasuredRun RunOf(LimitDecision decision, double excess)
    {
        const double Bound = 20;
        return new MeasuredRun
        {
            Rate = decision.Rate, Repeat = decision.Repeat, RunId = "planted", Held = excess < 0,
            NotMet = excess < 0 ? null : LimitCause.Latency,
            Figures = HasFigure ? [new BoundedFigure("p99", Bound * Math.Exp(excess), Bound, MayBeZero: false)] : null,
        };
    }
}

/// <summary>The results of the searches for one truth.</summary>
public sealed class TruthResult(PlantedTruth truth)
{
    private readonly List<double> _widths = [];
    private int _searches;
    private int _missed;
    private int _runs;
    private int _drifts;

    public PlantedTruth Truth => truth;

    /// <summary>
    /// Share of all searches whose interval does not contain the truth. Without a limit, the share of searches that gave an interval.
    /// </summary>
    public double Missed => _missed / (double)_searches;

    /// <summary>Share of the intervals that do not contain the truth.</summary>
    public double MissedOfIntervals => _widths.Count == 0 ? 0 : _missed / (double)_widths.Count;

    /// <summary>Share of the searches that gave no interval.</summary>
    public double WithoutInterval => 1 - (_widths.Count / (double)_searches);

    /// <summary>Share of the searches that reported a drift.</summary>
    public double SaidDrift => _drifts / (double)_searches;

    /// <summary>Median of (upper end / lower end - 1) of all intervals. Null without intervals.</summary>
    public double? Width => _widths.Count == 0 ? null : _widths.Order().ElementAt(_widths.Count / 2);

    public double Runs => _runs / (double)_searches;

    public bool IsKept => (Truth.IsSlowAbove ? MissedOfIntervals : Missed) <= Truth.MaxMissed;

    internal void Add(LimitDecision decision, int runs, double limit)
    {
        _searches++;
        _runs += runs;
        _drifts += decision.Doubt == LimitDoubt.Drift ? 1 : 0;
        if (decision is not { End: LimitEnd.Refined or LimitEnd.NotRefined, Bracket: { Low: { } low, High: { } high } })
            return;
        _widths.Add((high / low) - 1);
        _missed += Truth.HasLimit && limit >= low && limit <= high ? 0 : 1;
    }
}
