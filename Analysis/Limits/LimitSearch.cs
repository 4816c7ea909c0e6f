namespace ScaleOut.Analysis.Limits;

/// <summary>
/// Decides what to measure next, or that the search has ended. The decision depends only on the measurements so far.
/// <list type="number">
/// <item>The search raises the rate until one fails, or lowers it until one holds. If none does down to the lowest, or if the figure of
/// the condition grows while the rate falls, it raises the rate from the first one: low rates may fail for a reason of their own.</item>
/// <item>It bisects by equal factors until neighbouring rates are near each other, or until runs contradict each other.</item>
/// <item>It measures at the limit and on both sides of it, until the interval (<see cref="HoldCurve"/>) is narrow enough or the runs are
/// used up. The more the runs scatter, the farther apart these rates are.</item>
/// </list>
/// </summary>
internal sealed class LimitSearch
{
    /// <summary>Number of unusable measurements in a row after which the search gives up.</summary>
    public const int MaxUnusable = 3;

    /// <summary>
    /// Number of runs on a full machine after which a search without other runs ends. During a single run the machine may have been busy by
    /// chance.
    /// </summary>
    public const int MaxFullAtFirst = 2;

    /// <summary>Minimum evidence for a limit. If there is none, at most 1 of 100 searches reaches this.</summary>
    private const double MinLogEvidence = 4.6;

    /// <summary>
    /// Share of the permitted error probability that the interval uses. The rest covers what the curve leaves out: real noise has another
    /// shape, and the search stops when the interval happens to look narrow. <c>bench known-truth</c> measures the resulting coverage.
    /// </summary>
    private const double TailShare = 0.5;

    /// <summary>Minimum probability of a drift to report it, for runs without a figure.</summary>
    private const double MinDriftProbability = 0.9;

    /// <summary>Factor by which the rate grows while it holds, and shrinks while it fails.</summary>
    private const double GrowthFactor = 2;

    /// <summary>Number of the lowest rates whose figure shows whether it grows while the rate falls.</summary>
    private const int RatesOfLowReason = 3;

    /// <summary>Number of rates above the first one that are tried without the figure coming nearer to its bound.</summary>
    private const int MaxLooksAbove = 3;

    /// <summary>Once runs contradict each other, two rates whose ratio is at most this are not bisected.</summary>
    private const double NearFactor = 1.25;

    /// <summary>Distance between the limit and the rates beside it: in spreads, and at least this share of the precision.</summary>
    private const double StepSpreads = 1.5;
    private const double StepShare = 0.6;
    private const double MaxStep = 0.4;

    /// <summary>Distance from the limit, in steps, within which runs count for the next rate and for the figure's curve.</summary>
    private const double Reach = 1.6;

    /// <summary>Intended shares of the runs below, at and above the limit.</summary>
    private static readonly double[] Shares = [0.3, 0.4, 0.3];

    private readonly LimitSpec _spec;
    private readonly IReadOnlyList<MeasuredRun> _measured;
    private readonly IReadOnlyList<LimitPoint> _points;
    private readonly double _split;

    private LimitSearch(LimitSpec spec, IReadOnlyList<MeasuredRun> measured)
    {
        (_spec, _measured) = (spec, measured);
        _points = LimitPoint.From(measured);
        _split = _points.Count == 0 ? 0 : LimitPoint.Split(_points);
    }

    /// <summary>The curve of independent runs. A decision uses it several times.</summary>
    private HoldCurve Independent => field ??= HoldCurve.From(_points);

    private double Lowest => _points.Min(point => point.X);

    private double Highest => _points.Max(point => point.X);

    private double Narrow => Math.Log(1 + _spec.Precision);

    /// <summary>The measured rates next to the split: the highest below it and the lowest above it.</summary>
    private LimitBracket AroundSplit => new(
        RateOf(_points.Where(point => point.X < _split).Max(point => (double?)point.X)),
        RateOf(_points.Where(point => point.X > _split).Min(point => (double?)point.X)), 0);

    /// <summary>Maximum number of runs of a search.</summary>
    public static int MaxRunsOf(LimitSpec spec) => Math.Min(150, 20 * spec.Repeats);

    /// <summary>
    /// Minimum number of runs for a search to end with an interval. Fewer runs do not show whether neighbouring runs resemble each other.
    /// </summary>
    private static int MinRunsOf(LimitSpec spec) => 4 + (6 * spec.Repeats);

    /// <param name="measured">In the order of the measurements.</param>
    public static LimitDecision Next(LimitSpec spec, IReadOnlyList<MeasuredRun> measured) => new LimitSearch(spec, measured).Decide();

    /// <summary>The curve near the limit; null without usable measurements.</summary>
    public static LimitCurve? CurveOf(LimitSpec spec, IReadOnlyList<MeasuredRun> measured)
    {
        var search = new LimitSearch(spec, measured);
        if (search._points.Count == 0)
            return null;
        var (curve, _, _) = search.Fitted();
        var (centre, step) = (curve.Quantile(0.5), search.StepOf(curve));
        return LimitCurve.From(search._points, curve, centre, Reach * step, spec.Confidence, measured);
    }

    private LimitDecision Decide()
    {
        var inconclusive = _measured.Reverse().TakeWhile(run => run.Held is null).ToList();
        var isFull = inconclusive.Count > 0 && inconclusive[0].OnFullMachine;
        if (inconclusive.Count >= (isFull && _points.Count == 0 ? MaxFullAtFirst : MaxUnusable))
            return EndInconclusive(isFull ? LimitEnd.FullMachine : LimitEnd.GivenUp);
        if (_points.Count == 0)
            return _measured.Count < MaxRunsOf(_spec) ? Measure(Math.Log(_spec.FirstRate)) : End(LimitEnd.GivenUp);
        return ExtendRange() ?? (_measured.Count >= MaxRunsOf(_spec) ? Conclude(isLast: true)! : Bisect() ?? Refine());
    }

    /// <summary>Ends after unusable runs in a row. Keeps the interval if the runs before them give one.</summary>
    private LimitDecision EndInconclusive(LimitEnd end) =>
        _points.Count > 0 && Conclude(isLast: true) is { End: LimitEnd.Refined or LimitEnd.NotRefined } known ? known : End(end);

    /// <summary>Goes on beyond the highest rate while all rates hold, or below the lowest while none does. Null otherwise.</summary>
    private LimitDecision? ExtendRange()
    {
        var (isAbove, isBelow) = (_split > Highest, _split < Lowest);
        if (!isAbove && !isBelow)
            return null;
        if (isBelow && LookAbove() is { } above)
            return above;
        var (end, last) = isAbove ? (Highest, Math.Log(_spec.LastRate)) : (Lowest, Math.Log(LimitSpec.MinRate));
        var isLastRate = Math.Abs(end - last) < 1e-9;
        if (_measured.Count >= MaxRunsOf(_spec))
            return End(LimitEnd.Unknown, LimitDoubt.NotBracketed);
        if (!isLastRate)
            return Measure(isAbove ? Math.Min(end + Math.Log(GrowthFactor), last) : Math.Max(end - Math.Log(GrowthFactor), last));
        return _points.Count(point => point.X == end) < _spec.Repeats
            ? Measure(end)
            : End(isAbove ? LimitEnd.HoldsAll : LimitEnd.NoneHolds);
    }

    /// <summary>
    /// Measures a rate above the first one while no rate holds, because low rates may fail for another reason, such as connections that are
    /// opened again or batches that fill slowly. Null if such a reason is ruled out, or not yet to be looked for.
    /// </summary>
    private LimitDecision? LookAbove()
    {
        if (_points.Any(point => point.Held))
            return null;
        var first = Math.Log(_spec.FirstRate);
        var above = _points.Where(point => point.X > first + 1e-9).OrderBy(point => point.X).ToList();
        var isAtLowest = _points.Count(point => Math.Abs(point.X - Math.Log(LimitSpec.MinRate)) < 1e-9) >= _spec.Repeats;
        if (above.Count == 0 && !isAtLowest && !GrowsDownwards())
            return null;
        if (_measured.Any(run => run.Rate >= _spec.FirstRate && run.NotMet is LimitCause.Throttling or LimitCause.Errors)
            || Highest >= Math.Log(_spec.LastRate) - 1e-9)
            return null;
        // The figure must fall below its value at the first rate.
        var figures = above.Select(point => point.Excess).Prepend(_points.First(point => Math.Abs(point.X - first) < 1e-9).Excess).ToList();
        var nearest = figures.All(figure => figure is not null) ? figures.IndexOf(figures.Min()) : 0;
        return above.Count - nearest < MaxLooksAbove
            ? Measure(Math.Min(Highest + Math.Log(GrowthFactor), Math.Log(_spec.LastRate)))
            : null;
    }

    /// <summary>Whether the figure grows from rate to rate while the rate falls.</summary>
    private bool GrowsDownwards()
    {
        var lowest = _points.OrderBy(point => point.X).Take(RatesOfLowReason).Select(point => point.Excess).ToList();
        return lowest.Count == RatesOfLowReason && lowest[0] > lowest[1] && lowest[1] > lowest[2];
    }

    private LimitDecision? Bisect()
    {
        var (low, high) = (Math.Log(AroundSplit.Low!.Value), Math.Log(AroundSplit.High!.Value));
        var agree = _points.All(point => point.Held == point.X < _split);
        var middle = LimitRate.Round(Math.Exp((low + high) / 2));
        return high - low > (agree ? Narrow : Math.Max(Narrow, Math.Log(NearFactor))) + 1e-9
            && middle > AroundSplit.Low && middle < AroundSplit.High
            ? Measure(Math.Log(middle))
            : null;
    }

    /// <summary>Ends if the interval is narrow enough. Otherwise measures where too few runs were made.</summary>
    private LimitDecision Refine()
    {
        var curve = Independent;
        if (_points.Count >= MinRunsOf(_spec) && WidthOf(curve) <= Narrow && Conclude(isLast: false) is { } end)
            return end;
        var (centre, step) = (curve.Quantile(0.5), StepOf(curve));
        var counts = new double[Shares.Length];
        foreach (var point in _points.Where(point => Math.Abs(point.X - centre) <= Reach * step))
            counts[point.X < centre - (step / 2) ? 0 : point.X > centre + (step / 2) ? 2 : 1]++;
        // Equally wanted places take turns, so that the rates alternate.
        var place = Enumerable.Range(0, Shares.Length).OrderBy(one => counts[one] / Shares[one])
            .ThenBy(one => (one + _points.Count) % Shares.Length).First();
        var wanted = Math.Clamp(centre + ((place - 1) * step), Math.Log(LimitSpec.MinRate), Math.Log(_spec.LastRate));
        var nearest = _points.MinBy(point => Math.Abs(point.X - wanted)).X;
        return Measure(Math.Abs(nearest - wanted) <= step / 4 ? nearest : wanted, Between(curve));
    }

    /// <summary>The result of the search; null if the runs do not show enough yet and more may be measured.</summary>
    private LimitDecision? Conclude(bool isLast)
    {
        var (curve, resemblance, isDrift) = Fitted();
        var fit = new LimitFit
        {
            Limit = RateOf(curve.Quantile(0.5))!.Value, Deviation = curve.Deviation, LapseShare = curve.LapseShare,
            Resemblance = resemblance, Runs = _points.Count,
        };
        if (Independent.LogEvidence < MinLogEvidence)
            return isLast ? End(LimitEnd.Unknown, LimitDoubt.NoSlope, fit) : null;
        if (isDrift)
            return End(LimitEnd.Unknown, LimitDoubt.Drift, fit);
        var isNarrow = WidthOf(curve) <= Narrow;
        if (!isNarrow && !isLast)
            return null;
        var bracket = Between(curve);
        return bracket.Low < RateOf(Lowest) || bracket.High > RateOf(Highest)
            ? End(LimitEnd.Unknown, LimitDoubt.NotBracketed, fit)
            : new LimitDecision(bracket, isNarrow ? LimitEnd.Refined : LimitEnd.NotRefined) { Fit = fit };
    }

    /// <summary>Fits the curve with runs that may resemble their neighbours.</summary>
    private (HoldCurve Curve, double Resemblance, bool IsDrift) Fitted()
    {
        if (FigureCurve.From(_points, Independent.Quantile(0.5), Reach * StepOf(Independent)) is not { } figure)
        {
            // Without a figure, the runs can hardly rule out a drift. The interval covers both cases.
            var drifting = HoldCurve.WithDrift(_points);
            return (drifting, 1, drifting.DriftProbability > MinDriftProbability);
        }

        // The distances from a figure's curve show a drift more clearly.
        var (inflation, isShown) = figure.Drift();
        return (inflation > 1 ? HoldCurve.From(_points, 1 / inflation) : Independent, inflation, isShown);
    }

    private double StepOf(HoldCurve curve)
    {
        var least = StepShare * Narrow;
        return Math.Clamp(StepSpreads * curve.Spread, least, Math.Max(least, MaxStep));
    }

    /// <summary>Probability that the limit lies beyond one end of the interval.</summary>
    private double Tail => TailShare * (1 - _spec.Confidence) / 2;

    private double WidthOf(HoldCurve curve) => curve.Quantile(1 - Tail) - curve.Quantile(Tail);

    private LimitBracket Between(HoldCurve curve) => new(RateOf(curve.Quantile(Tail)), RateOf(curve.Quantile(1 - Tail)), _spec.Confidence);

    private static double? RateOf(double? x) => x is { } known ? LimitRate.Round(Math.Max(Math.Exp(known), LimitSpec.MinRate)) : null;

    private LimitDecision Measure(double x, LimitBracket? bracket = null)
    {
        var rate = RateOf(x)!.Value;
        return new LimitDecision(bracket ?? AroundSplit, End: null, rate, _measured.Count(run => run.Rate == rate) + 1);
    }

    private LimitDecision End(LimitEnd end, LimitDoubt? doubt = null, LimitFit? fit = null) =>
        new(AroundSplit, end) { Doubt = doubt, Fit = fit };
}

/// <param name="Bracket">The rates between which the limit lies so far.</param>
/// <param name="End">Why the search has ended; null while it goes on.</param>
/// <param name="Rate">Rate to measure next, documents per second over all workers; 0 if the search has ended.</param>
/// <param name="Repeat">Ordinal of the next measurement at that rate, from 1.</param>
internal sealed record LimitDecision(LimitBracket Bracket, LimitEnd? End, double Rate = 0, int Repeat = 0)
{
    /// <summary>Why the search ended without a limit; null otherwise.</summary>
    public LimitDoubt? Doubt { get; init; }

    /// <summary>The fitted limit and the noise of the runs; null before the end, and if the rates did not come near a limit.</summary>
    public LimitFit? Fit { get; init; }
}
