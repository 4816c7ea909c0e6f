namespace ScaleOut.Analysis.Limits;

/// <summary>Points for a chart of a search: the chance to hold, and the bounded figure, by the rate.</summary>
public sealed record LimitCurve
{
    /// <summary>Number of gaps between the rates of the chart.</summary>
    private const int Places = 40;

    /// <summary>Largest distance of a shown rate from the limit, as the logarithm of their ratio.</summary>
    private const double MaxWidth = 0.7;

    /// <summary>The bounded figure that the most runs exceeded, such as <c>p99</c>; null if the condition bounds none.</summary>
    public string? Figure { get; init; }

    /// <summary>By ascending rate.</summary>
    public IReadOnlyList<LimitCurvePoint> Points { get; init; } = [];

    internal static LimitCurve From(
        IReadOnlyList<LimitPoint> points, HoldCurve curve, double centre, double reach, double confidence,
        IReadOnlyList<MeasuredRun> measured)
    {
        var name = LimitPoint.FigureOf(measured);
        var figure = measured.SelectMany(run => run.Figures ?? []).FirstOrDefault(one => one.Name == name);
        var fitted = FigureCurve.From(points, centre, reach);
        var low = Math.Max(points.Min(point => point.X), centre - MaxWidth);
        var high = Math.Min(points.Max(point => point.X), centre + MaxWidth);
        return new LimitCurve
        {
            Figure = name,
            Points = [.. Enumerable.Range(0, Places + 1).Select(place => low + ((high - low) * place / Places)).Select(PointAt)],
        };

        LimitCurvePoint PointAt(double x)
        {
            var (mean, least, most) = curve.ChanceAt(x, confidence);
            var point = new LimitCurvePoint { Rate = Math.Exp(x), Chance = mean, ChanceLow = least, ChanceHigh = most };
            if (fitted is null || Math.Abs(x - centre) > reach || figure is null)
                return point;
            var (value, from, to) = fitted.At(x, confidence);
            return point with
            {
                Value = figure.ValueAt(value),
                ValueLow = figure.ValueAt(from),
                ValueHigh = figure.ValueAt(to),
            };
        }
    }
}

public sealed record LimitCurvePoint
{
    /// <summary>Documents per second over all workers.</summary>
    public required double Rate { get; init; }

    /// <summary>Chance that a run holds the rate, 0 to 1, with its interval.</summary>
    public required double Chance { get; init; }

    public required double ChanceLow { get; init; }

    public required double ChanceHigh { get; init; }

    /// <summary>The figure of a typical run, with its interval; null if no curve was fitted.</summary>
    public double? Value { get; init; }

    public double? ValueLow { get; init; }

    public double? ValueHigh { get; init; }
}

/// <summary>One run as a data point for the limit.</summary>
/// <param name="X">Logarithm of the run's rate.</param>
/// <param name="Excess">Logarithm of the figure over its bound, see <see cref="BoundedFigure.Excess"/>; null without a figure.</param>
internal readonly record struct LimitPoint(double X, bool Held, double? Excess)
{
    /// <summary>The points of the runs that show whether their rate holds, in the order of the runs.</summary>
    public static IReadOnlyList<LimitPoint> From(IReadOnlyList<MeasuredRun> measured)
    {
        var figure = FigureOf(measured);
        return
        [
            .. WithoutOtherReasons(measured).Where(run => run.Held is not null).Select(run => new LimitPoint(
                Math.Log(run.Rate!.Value), run.Held!.Value, run.Figures?.FirstOrDefault(one => one.Name == figure)?.Excess)),
        ];
    }

    /// <summary>
    /// The runs, with <see cref="MeasuredRun.Held"/> cleared for those that failed for another reason than that their rate is too high.
    /// These are the runs that failed with errors, if most failed runs had none, and those below the first rate that held, if the search
    /// found none at its first rate and below.
    /// </summary>
    public static IReadOnlyList<MeasuredRun> WithoutOtherReasons(IReadOnlyList<MeasuredRun> measured) =>
        WithoutLowRates(WithoutErrors(measured));

    private static IReadOnlyList<MeasuredRun> WithoutLowRates(IReadOnlyList<MeasuredRun> measured)
    {
        var held = measured.FirstOrDefault(run => run.Held == true);
        if (held is null || held.Rate <= measured[0].Rate)
            return measured;
        var before = measured.TakeWhile(run => run != held).Count();
        return
        [
            .. measured.Select((run, place) => place < before && run is { Held: false } && run.Rate < held.Rate
                ? run with { Held = null, NotMet = null, Reason = $"{FailedAtLowRate} ({run.Reason})" }
                : run),
        ];
    }

    /// <summary>Beginning of <see cref="MeasuredRun.Reason"/> for runs that failed at rates below the first one that held.</summary>
    public const string FailedAtLowRate = "it failed at a rate below those that hold, so for a reason of low rates";

    private static IReadOnlyList<MeasuredRun> WithoutErrors(IReadOnlyList<MeasuredRun> measured)
    {
        var failed = measured.Where(run => run.Held == false).ToList();
        return 2 * failed.Count(run => run.NotMet == LimitCause.Errors) >= failed.Count ? measured :
        [
            .. measured.Select(run => run is { Held: false, NotMet: LimitCause.Errors }
                ? run with { Held = null, NotMet = null, Reason = $"it failed with errors ({run.Reason}), unlike most failed runs" }
                : run),
        ];
    }

    /// <summary>Name of the figure that the most runs exceeded; null while none did.</summary>
    public static string? FigureOf(IReadOnlyList<MeasuredRun> measured) => WithoutOtherReasons(measured).Where(run => run.Held is not null)
        .SelectMany(run => run.Figures ?? []).GroupBy(figure => figure.Name)
        .Select(group => (group.Key, Exceeded: group.Count(figure => figure.Excess >= 0)))
        .Where(one => one.Exceeded > 0).OrderByDescending(one => one.Exceeded).Select(one => one.Key).FirstOrDefault();

    /// <summary>
    /// The logarithm of a rate that best separates the runs that held from those that failed: as few as possible are on the wrong side.
    /// </summary>
    /// <param name="points">At least one.</param>
    public static double Split(IReadOnlyList<LimitPoint> points)
    {
        var rates = points.Select(point => point.X).Distinct().Order().ToList();
        var wrong = points.Count(point => point.Held);
        var (fewest, places) = (wrong, new List<double> { rates[0] - 1 });
        for (var i = 0; i < rates.Count; i++)
        {
            wrong += points.Where(point => point.X == rates[i]).Sum(point => point.Held ? -1 : 1);
            if (wrong > fewest)
                continue;
            if (wrong < fewest)
                places.Clear();
            fewest = wrong;
            places.Add(i + 1 < rates.Count ? (rates[i] + rates[i + 1]) / 2 : rates[i] + 1);
        }

        // If several places are equally good, the middle one is taken.
        return places[(places.Count - 1) / 2];
    }
}
