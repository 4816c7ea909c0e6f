namespace ScaleOut.Analysis.Limits;

/// <summary>Latency over the rate, with a dot for each run and the knee: the highest rate that holds.</summary>
internal static class LimitChart
{
    /// <summary>Empty while fewer than two rates have latencies.</summary>
    public static IReadOnlyList<Chart> From(LimitReport report)
    {
        var dots = report.Steps.SelectMany(step => step.Runs.Select(run => (step.Rate, Run: run)))
            .Where(dot => dot.Run.LatencyMs is { P50: > 0, P99: > 0 }).OrderBy(dot => dot.Rate).ToList();
        var rates = dots.Select(dot => dot.Rate).Distinct().ToList();
        if (rates.Count < 2)
            return [];
        return
        [
            new("limit", "Latency by rate", report.Limit.Text,
                new ChartAxis("asked per second (logarithmic)", ChartScale.Logarithmic)
                {
                    Min = rates[0] / 1.05, Max = rates[^1] * 1.05,
                    Ticks = [.. rates.Select(rate => new ChartTick(rate, Numbers.Brief(Math.Round(rate))))],
                },
                new ChartAxis("ms (logarithmic)", ChartScale.Logarithmic),
                [
                    .. Series(dots, "s0", "p50", run => run.LatencyMs!.P50!.Value),
                    .. Series(dots, "s1", "p99", run => run.LatencyMs!.P99!.Value),
                ])
            {
                Marks = report.Limit.Low is { } knee ? [new ChartMark("x", knee, "knee: the highest rate that holds", "limit")] : [],
                Note = "Each dot is a run; a hollow one did not hold its rate. The lines join the middle runs of each rate.",
            },
        ];
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
