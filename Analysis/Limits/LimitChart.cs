namespace ScaleOut.Analysis.Limits;

/// <summary>The chance to hold and the latencies over the rate, with a dot for each run, the fitted curves and their bands.</summary>
internal static class LimitChart
{
    /// <summary>The charts of the chance to hold and of the latencies, as far as these were measured.</summary>
    public static IReadOnlyList<Chart> From(LimitReport report) => [.. Chances(report), .. Latencies(report)];

    /// <summary>What the interval rests on: a dot for each run, at the top where it held and at the bottom where it failed.</summary>
    private static IEnumerable<Chart> Chances(LimitReport report)
    {
        if (report.Curve is not { Points.Count: > 0 } curve)
            yield break;
        var runs = report.Steps
            .SelectMany(step => step.Runs.Where(run => run.Held is not null).Select(run => (step.Rate, Held: run.Held == true)))
            .OrderBy(run => run.Rate).ToList();
        var confidence = Numbers.Percent(report.Spec.Limit!.Confidence);
        yield return new("chances", "Chance to hold by rate", "The curve is the chance of a run to hold; at the limit it is one half.",
            Rates([.. runs.Select(run => run.Rate).Distinct()]),
            new ChartAxis("chance to hold") { Min = -0.05, Max = 1.05 },
            [
                ChartSeries.From($"{confidence} band", "s0", ChartKind.Range,
                    [.. curve.Points.Select(point => new ChartPoint(point.Rate, 0, Interval: new(point.ChanceLow, point.ChanceHigh)))]),
                ChartSeries.From(
                    "fitted chance", "s0", ChartKind.Line, [.. curve.Points.Select(point => new ChartPoint(point.Rate, point.Chance))]),
                ChartSeries.From("runs", "s1", ChartKind.Dots,
                [
                    .. runs.Select(run => new ChartPoint(
                        run.Rate, run.Held ? 1 : 0, $"{LimitSentences.Rate(run.Rate)}/s {(run.Held ? "held" : "failed")}",
                        IsHollow: !run.Held)),
                ]),
            ])
        {
            Marks = Marks(report),
            Note = "Each dot is a run: at the top it held, at the bottom it failed. Inconclusive runs are left out.",
        };
    }

    private static ChartAxis Rates(List<double> rates) => new("asked per second (logarithmic)", ChartScale.Logarithmic)
    {
        Min = rates[0] / 1.05, Max = rates[^1] * 1.05,
        Ticks = [.. rates.Select(rate => new ChartTick(rate, Numbers.Brief(Math.Round(rate))))],
    };

    private static IReadOnlyList<ChartMark> Marks(LimitReport report) => report.Limit switch
    {
        { Low: { } low, High: { } high, Fit: not null } =>
            [new("x", low, $"{Numbers.Percent(report.Spec.Limit!.Confidence)} interval of the limit", "limit", high)],
        { Low: { } low } => [new("x", low, "the highest rate that held", "limit")],
        _ => [],
    };

    /// <summary>The latencies that the condition permits.</summary>
    private static IEnumerable<ChartMark> Bounds(LimitReport report) => LimitCondition.From(report.Spec.Limit!).LatencyBounds
        .Select(one => new ChartMark("y", one.Bound, $"the condition: {one.Name} under {Numbers.Brief(one.Bound)} ms", "s5"));

    /// <summary>Empty while fewer than two rates have latencies.</summary>
    private static IEnumerable<Chart> Latencies(LimitReport report)
    {
        var dots = report.Steps.SelectMany(step => step.Runs.Select(run => (step.Rate, Run: run)))
            .Where(dot => dot.Run.LatencyMs is { P50: > 0, P99: > 0 }).OrderBy(dot => dot.Rate).ToList();
        var rates = dots.Select(dot => dot.Rate).Distinct().ToList();
        if (rates.Count < 2)
            yield break;
        yield return new("limit", "Latency by rate", "Latencies of operations by the rate that was asked for.",
            Rates(rates),
            new ChartAxis("ms (logarithmic)", ChartScale.Logarithmic),
            [
                .. Series(dots, "s0", "p50", run => run.LatencyMs!.P50!.Value),
                .. Series(dots, "s1", "p99", run => run.LatencyMs!.P99!.Value),
                .. Fitted(report),
            ])
        {
            Marks = [.. Marks(report), .. Bounds(report)],
            Note = "Each dot is a run. A hollow dot is a run that did not hold its rate, or is inconclusive. The lines join the "
                + "middle runs of each rate.",
        };
    }

    /// <summary>The curve of the bounded latency near the limit, with its band.</summary>
    private static IEnumerable<ChartSeries> Fitted(LimitReport report)
    {
        var points = report.Curve?.Points.Where(point => point.Value is > 0 && point.ValueLow > 0).ToList();
        if (points is not { Count: > 1 } || report.Curve!.Figure is not { } figure
            || ConditionName.From(figure).Cause != LimitCause.Latency)
            yield break;
        yield return ChartSeries.From($"{Numbers.Percent(report.Spec.Limit!.Confidence)} band of {figure}", "s2", ChartKind.Range,
            [.. points.Select(point => new ChartPoint(point.Rate, 0, Interval: new(point.ValueLow!.Value, point.ValueHigh!.Value)))]);
        yield return ChartSeries.From(
            $"fitted {figure}", "s2", ChartKind.Line, [.. points.Select(point => new ChartPoint(point.Rate, point.Value!.Value))]);
    }

    private static IEnumerable<ChartSeries> Series(
        IReadOnlyList<(double Rate, LimitRunDigest Run)> dots, string colour, string name, Func<LimitRunDigest, double> value)
    {
        yield return ChartSeries.From(name, colour, ChartKind.Line,
        [
            .. dots.GroupBy(dot => dot.Rate).Select(group => new ChartPoint(
                group.Key, group.Select(dot => value(dot.Run)).Order().ElementAt((group.Count() - 1) / 2))),
        ]);
        yield return ChartSeries.From(name, colour, ChartKind.Dots,
        [
            .. dots.Select(dot => new ChartPoint(
                dot.Rate, value(dot.Run),
                $"{LimitSentences.Rate(dot.Rate)}/s: {name} {Numbers.Brief(value(dot.Run))} ms{(dot.Run.Held == true ? "" : ", failed")}",
                IsHollow: dot.Run.Held != true)),
        ]);
    }
}
