using ScaleOut.Experiments;

namespace ScaleOut.Bench.KnownTruth;

/// <summary>A system whose limit is known: what each run of a search at a rate gives is drawn by a seed, in virtual time.</summary>
/// <param name="Start">
/// Begins a search: gives what a run at the logarithm of (rate / limit) reads, the logarithm of its figure over the bound. A run holds
/// below 0.
/// </param>
public sealed record PlantedTruth(string Name, Func<Random, Func<double, double>> Start)
{
    /// <summary>Whether a limit exists. Where none does, any interval is wrong.</summary>
    public bool HasLimit { get; init; } = true;

    /// <summary>Whether runs resemble each other, so that saying so is a result.</summary>
    public bool Drifts { get; init; }

    /// <summary>Whether the search sees the figure, and not only that the run held.</summary>
    public bool HasFigure { get; init; } = true;

    /// <summary>The limit; null for one of each search's own, between 300 and 9,000 per second.</summary>
    public double? Limit { get; init; }

    /// <summary>Share of searches whose interval may miss the truth.</summary>
    public double MaxMissed => !HasLimit ? 0.05 : Drifts ? 0.12 : 0.07;

    /// <summary>Searches as often as asked, each with a seed and a limit of its own.</summary>
    /// <param name="series">Another number gives other seeds.</param>
    public TruthResult Search(int searches, LimitSpec spec, int series = 0)
    {
        var result = new TruthResult(this);
        for (var i = 0; i < searches; i++)
        {
            var limit = Limit ?? 300 * Math.Pow(30, (i + 0.5) / searches);
            // Seeds that follow each other begin alike; these do not.
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
            Figures = HasFigure ? [new BoundedFigure("p99", Bound * Math.Exp(excess), Bound)] : null,
        };
    }
}

/// <summary>How the searches for one truth came out.</summary>
public sealed class TruthResult(PlantedTruth truth)
{
    private readonly List<double> _widths = [];
    private int _searches;
    private int _missed;
    private int _runs;
    private int _drifts;

    public PlantedTruth Truth => truth;

    /// <summary>Share of all searches whose interval does not hold the truth; without a limit, of those that gave one.</summary>
    public double Missed => _missed / (double)_searches;

    /// <summary>Share of the intervals that do not.</summary>
    public double MissedOfIntervals => _widths.Count == 0 ? 0 : _missed / (double)_widths.Count;

    /// <summary>Share of the searches that gave no interval.</summary>
    public double WithoutInterval => 1 - (_widths.Count / (double)_searches);

    /// <summary>Share that said that runs drift.</summary>
    public double SaidDrift => _drifts / (double)_searches;

    /// <summary>Upper over lower end less 1, in the middle of all intervals; null without any.</summary>
    public double? Width => _widths.Count == 0 ? null : _widths.Order().ElementAt(_widths.Count / 2);

    public double Runs => _runs / (double)_searches;

    public bool IsKept => Missed <= Truth.MaxMissed;

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
