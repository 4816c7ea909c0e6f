namespace ScaleOut.Experiments;

/// <summary>What a run says of the limit.</summary>
/// <param name="X">Logarithm of its rate.</param>
/// <param name="Excess">Logarithm of its figure over the bound, see <see cref="BoundedFigure.Excess"/>; null without a figure.</param>
public readonly record struct LimitPoint(double X, bool Held, double? Excess)
{
    /// <summary>What the runs of a search say, in the order in which they were made.</summary>
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
    /// The runs, of which those say nothing that failed for another reason than the rate: in errors, where most failed without.
    /// </summary>
    public static IReadOnlyList<MeasuredRun> WithoutOtherReasons(IReadOnlyList<MeasuredRun> measured)
    {
        var failed = measured.Where(run => run.Held == false).ToList();
        return 2 * failed.Count(run => run.NotMet == LimitCause.Errors) >= failed.Count ? measured :
        [
            .. measured.Select(run => run is { Held: false, NotMet: LimitCause.Errors }
                ? run with { Held = null, NotMet = null, Reason = $"it failed in errors ({run.Reason}), and most runs that failed did not" }
                : run),
        ];
    }

    /// <summary>Name of the figure that the most runs exceeded; null while none did.</summary>
    public static string? FigureOf(IReadOnlyList<MeasuredRun> measured) => measured.Where(run => run.Held is not null)
        .SelectMany(run => run.Figures ?? []).GroupBy(figure => figure.Name)
        .Select(group => (group.Key, Exceeded: group.Count(figure => figure.Excess >= 0)))
        .Where(one => one.Exceeded > 0).OrderByDescending(one => one.Exceeded).Select(one => one.Key).FirstOrDefault();

    /// <summary>The logarithm of a rate that best parts runs that held from runs that failed: with the fewest on the wrong side.</summary>
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

        // Of several places the middle one.
        return places[(places.Count - 1) / 2];
    }
}

/// <summary>A latency or a share of a run that the condition bounds from above.</summary>
/// <param name="Name">As the condition names it, such as <c>p99</c>.</param>
/// <param name="Bound">In the unit of the value, above 0.</param>
public sealed record BoundedFigure(string Name, double Value, double Bound)
{
    /// <summary>
    /// 0 at the bound and above 0 beyond it: the logarithm of the value over the bound. A share may be 0, so the bound is added to both.
    /// </summary>
    [JsonIgnore]
    public double Excess => IsShare(Name) ? Math.Log((Value + Bound) / (2 * Bound)) : Math.Log(Math.Max(Value, MinValue) / Bound);

    /// <summary>Below what is measured of a latency, in ms.</summary>
    private const double MinValue = 1e-4;

    /// <summary>The value that has an excess.</summary>
    public static double ValueAt(string name, double bound, double excess) =>
        IsShare(name) ? Math.Max(0, (2 * bound * Math.Exp(excess)) - bound) : bound * Math.Exp(excess);

    private static bool IsShare(string name) => name.EndsWith("Share", StringComparison.Ordinal);
}
