namespace ScaleOut.Experiments;

/// <summary>What the runs of a search say of the rates near the limit, for a picture.</summary>
public sealed record LimitCurve
{
    /// <summary>Rates that are shown.</summary>
    private const int Places = 40;

    /// <summary>Logarithm of the factor of the limit up to which rates are shown.</summary>
    private const double MaxWidth = 0.7;

    /// <summary>The bounded figure that the most runs exceeded, such as <c>p99</c>; null if the condition bounds none.</summary>
    public string? Figure { get; init; }

    /// <summary>By ascending rate.</summary>
    public IReadOnlyList<LimitCurvePoint> Points { get; init; } = [];

    internal static LimitCurve From(
        IReadOnlyList<LimitPoint> points, HoldCurve curve, double centre, double reach, double confidence,
        IReadOnlyList<MeasuredRun> measured)
    {
        var figure = LimitPoint.FigureOf(measured);
        var bound = measured.SelectMany(run => run.Figures ?? []).FirstOrDefault(one => one.Name == figure)?.Bound;
        var fitted = FigureCurve.From(points, centre, reach);
        var low = Math.Max(points.Min(point => point.X), centre - MaxWidth);
        var high = Math.Min(points.Max(point => point.X), centre + MaxWidth);
        return new LimitCurve
        {
            Figure = figure,
            Points = [.. Enumerable.Range(0, Places + 1).Select(place => low + ((high - low) * place / Places)).Select(PointAt)],
        };

        LimitCurvePoint PointAt(double x)
        {
            var (mean, least, most) = curve.ChanceAt(x, confidence);
            var point = new LimitCurvePoint { Rate = Math.Exp(x), Chance = mean, ChanceLow = least, ChanceHigh = most };
            if (fitted is null || Math.Abs(x - centre) > reach || bound is not { } at)
                return point;
            var (value, from, to) = fitted.At(x, confidence);
            return point with
            {
                Value = BoundedFigure.ValueAt(figure!, at, value),
                ValueLow = BoundedFigure.ValueAt(figure!, at, from),
                ValueHigh = BoundedFigure.ValueAt(figure!, at, to),
            };
        }
    }
}

/// <summary>A rate of a <see cref="LimitCurve"/>.</summary>
public sealed record LimitCurvePoint
{
    /// <summary>Documents per second over all workers.</summary>
    public required double Rate { get; init; }

    /// <summary>Chance that a run holds it, 0 to 1, with its interval.</summary>
    public required double Chance { get; init; }

    public required double ChanceLow { get; init; }

    public required double ChanceHigh { get; init; }

    /// <summary>The figure of a typical run, with its interval; null if no curve was fitted.</summary>
    public double? Value { get; init; }

    public double? ValueLow { get; init; }

    public double? ValueHigh { get; init; }
}
