namespace ScaleOut.Experiments;

/// <summary>
/// Decides what to measure next, or that the search has ended: a function of the measurements so far alone. It raises the rate until one
/// fails (or lowers it until one holds), bisects by equal factors, and then measures the two ends again until the limit lies between them
/// with the confidence that was asked for (<see cref="LimitBelief"/>). A rate whose measurements keep contradicting each other is near the
/// limit: the search then looks closer on both of its sides.
/// </summary>
public sealed class LimitSearch
{
    /// <summary>Most measurements of a search.</summary>
    public const int MaxMeasurements = 150;

    /// <summary>Measurements in a row that say nothing, after which the search gives up.</summary>
    public const int MaxUnusable = 3;

    /// <summary>Share of the precision that a gap has at least when it is bisected.</summary>
    private const double FinestShare = 0.25;

    /// <summary>By what the rate grows while it holds, and shrinks while it fails.</summary>
    private const double GrowthFactor = 2;

    private const double Slack = 1e-9;

    private readonly LimitSpec _spec;
    private readonly IReadOnlyList<RateTally> _tallies;
    private readonly LimitBelief _belief;
    private readonly LimitGap _best;

    private LimitSearch(LimitSpec spec, IReadOnlyList<RateTally> tallies)
    {
        (_spec, _tallies) = (spec, tallies);
        _belief = LimitBelief.From(spec, tallies);
        _best = _belief.Gaps[_belief.Best];
        var (first, last) = _belief.Region(spec.Confidence);
        Bracket = new LimitBracket(
            _belief.Gaps[first].Low, _belief.Gaps[last].High, _belief.Gaps.Take(last + 1).Skip(first).Sum(gap => gap.Probability));
    }

    private LimitBracket Bracket { get; }

    private bool IsNarrow => (Bracket.Low, Bracket.High) switch
    {
        (null, { } high) => high <= LimitSpec.MinRate,
        ({ } low, null) => low >= _spec.LastRate,
        ({ } low, { } high) => high / low <= 1 + _spec.Precision + Slack,
        _ => false,
    };

    /// <summary>What follows from measurements.</summary>
    /// <param name="measurements">In the order in which they were made.</param>
    public static LimitDecision Next(LimitSpec spec, IReadOnlyList<MeasuredRun> measurements)
    {
        var search = new LimitSearch(spec, RateTally.From(measurements));
        var unusable = measurements.Reverse().TakeWhile(measurement => measurement.Held is null).Count();
        if (unusable >= MaxUnusable)
            return new LimitDecision(search.Bracket, LimitEnd.GivenUp);
        var next = search.NextRate();
        if (next is null && search.IsNarrow)
            return new LimitDecision(search.Bracket, search.EndOf());
        if (next is not { } rate || measurements.Count >= MaxMeasurements)
            return new LimitDecision(search.Bracket, LimitEnd.NotRefined);
        return new LimitDecision(
            search.Bracket, End: null, rate, measurements.Count(measurement => measurement.Rate == rate) + 1);
    }

    private LimitEnd EndOf() =>
        Bracket.Low is null ? LimitEnd.NoneHolds : Bracket.High is null ? LimitEnd.HoldsAll : LimitEnd.Refined;

    /// <summary>The rate to measure; null when nothing more can be learned, or need be.</summary>
    private double? NextRate()
    {
        if (_tallies.Count == 0)
            return _spec.FirstRate;
        if (Widen() is { } wider)
            return wider;
        if (_best is { Low: { } low, High: { } high } && high / low > 1 + _spec.Precision + Slack && Between(_best) is { } middle)
            return middle;
        return IsNarrow ? Unconfirmed() : Disputed();
    }

    /// <summary>While every rate holds, or none does: above the highest, or below the lowest.</summary>
    private double? Widen()
    {
        var (lowest, highest) = (_tallies[0].Rate, _tallies[^1].Rate);
        if (_best.Low >= highest && highest < _spec.LastRate)
            return LimitRate.Round(Math.Min(GrowthFactor * highest, _spec.LastRate));
        return (_best.High ?? double.PositiveInfinity) <= lowest && lowest > LimitSpec.MinRate
            ? LimitRate.Round(Math.Max(lowest / GrowthFactor, LimitSpec.MinRate))
            : null;
    }

    /// <summary>An end of the bracket that is measured less often than it is to be.</summary>
    private double? Unconfirmed() => new[] { Bracket.Low, Bracket.High }
        .Where(rate => rate is not null && CountOf(rate.Value) < _spec.Repeats)
        .OrderBy(rate => CountOf(rate!.Value))
        .FirstOrDefault();

    /// <summary>
    /// Of the best gap, the end beyond which the limit may rather lie. Where that has been measured often enough without a result, the
    /// limit is near it, and the gaps on both of its sides are bisected.
    /// </summary>
    private double? Disputed()
    {
        var gap = _belief.Best;
        var isAbove = _best.High is not null && (_best.Low is null || _belief.Above(gap) >= _belief.Below(gap));
        if (((isAbove ? _best.High : _best.Low) ?? _best.Low) is not { } end)
            return null;
        if (CountOf(end) < _spec.MaxRepeats)
            return end;
        var beyond = _belief.Gaps.ElementAtOrDefault(isAbove ? gap + 1 : gap - 1);
        return new[] { _best, beyond }
            .Where(one => one is { Low: not null, High: not null } && one.High / one.Low > 1 + (FinestShare * _spec.Precision))
            .OrderByDescending(one => one!.High / one.Low)
            .Select(one => Between(one!))
            .FirstOrDefault(rate => rate is not null);
    }

    private static double? Between(LimitGap gap)
    {
        var middle = LimitRate.Round(Math.Sqrt(gap.Low!.Value * gap.High!.Value));
        return middle > gap.Low && middle < gap.High ? middle : null;
    }

    private int CountOf(double rate) => _tallies.FirstOrDefault(tally => tally.Rate == rate)?.Count ?? 0;
}

/// <summary>What follows from the measurements so far.</summary>
/// <param name="Bracket">Where the limit lies.</param>
/// <param name="End">Why the search has ended; null while it goes on.</param>
/// <param name="Rate">What to measure next; meaningless at the end.</param>
/// <param name="Repeat">Number of the measurement at that rate, from 1.</param>
public sealed record LimitDecision(LimitBracket Bracket, LimitEnd? End, double Rate = 0, int Repeat = 0);

/// <summary>Rates between which the limit lies.</summary>
/// <param name="Low">Highest rate that is shown to hold; null when none is.</param>
/// <param name="High">Lowest rate that is shown to fail; null when none is.</param>
/// <param name="Probability">With which the limit lies between them, 0 to 1.</param>
public sealed record LimitBracket(double? Low, double? High, double Probability);

/// <summary>How a search for a limit ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<LimitEnd>))]
public enum LimitEnd
{
    /// <summary>The limit lies in an interval as narrow as was asked for, with the confidence that was asked for.</summary>
    Refined,

    /// <summary>The measurements contradict each other too much for that.</summary>
    NotRefined,

    /// <summary>The highest rate that may be tried holds.</summary>
    HoldsAll,

    /// <summary>Not even the lowest rate holds.</summary>
    NoneHolds,

    /// <summary>Several measurements in a row said nothing.</summary>
    GivenUp,

    /// <summary>It was stopped.</summary>
    Stopped,
}
