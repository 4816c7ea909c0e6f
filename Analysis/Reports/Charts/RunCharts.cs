namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>The charts of a run's report. Charts without figures are left out.</summary>
internal static class RunCharts
{
    /// <summary>Largest number of points of time in a chart.</summary>
    public const int MaxPoints = 720;

    /// <summary>Seconds whose mean is drawn over the single ones.</summary>
    private const int SmoothSeconds = 5;

    public static IReadOnlyList<Chart> From(RunReport report) =>
    [
        .. new[]
            {
                report.Series.Any(point => point.Counts is not { Inserted: 0, Throttled: 0 }) ? OverTime(report) : null,
                ResponseTimes(report), LatencyByPercentile(report),
            }
            .OfType<Chart>(),
        .. PartitionCharts.From(report),
        .. WorkerTimesChart.From(report) is { } times ? [times] : Array.Empty<Chart>(),
    ];

    /// <summary>Where interruptions are left out of the time axis.</summary>
    public static IEnumerable<ChartMark> Cuts(ReportTimeline time) =>
        time.Cuts.Select(cut => new ChartMark("x", cut, "interrupted, left out", "cut"));

    /// <summary>
    /// Documents inserted per second with the rate asked for; below them, on the same axis, 429s and latency. The overlap window is marked
    /// at the foot. Workers are stacked if they differ. If they are alike, all of them are drawn together.
    /// </summary>
    public static Chart OverTime(RunReport report)
    {
        var time = ReportTimeline.From(report, MaxPoints);
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        IReadOnlyList<Chart> below = [.. new[] { Throttled(report, time), Latency(report, time) }.OfType<Chart>()];
        var all = Words.Amount(report.Workers.Count, "worker");
        var alike = WorkerBands.AreAlike(report);
        return new(
            "throughput",
            "Over time",
            $"{(words.One == "insert" ? "Documents inserted" : Words.Capital(words.Phrase))} in each "
                + $"second{(!alike ? ", stacked by worker" : report.Workers.Count > 1 ? $" by all {all}" : "")}. The busiest second had "
                + $"{Numbers.Count(report.Series.Max(point => point.Counts.Inserted))}{Mean(report.Throughput)}."
                + string.Concat(below.Select(chart => $" {chart.Sentence}")),
            ChartAxis.Time(time.Seconds), new ChartAxis($"{words.Plural.ToLowerInvariant()} per second"),
            [
                .. alike
                    ? Smooth(time, time.Means([.. report.Series.Select(point => (double)point.Counts.Inserted)]), "s0", "band")
                    : WorkerBands.From(report.Workers, report.Series.Count).Select(band => ChartSeries.OfValues(
                        band.Name, band.Colour, ChartKind.Area, time.Means(band.PerSecond))),
            ])
        {
            At = time.BinStarts,
            Below = below,
            Marks =
            [
                .. report.Throughput.AskedPerSecond is { } asked
                    ? [new ChartMark("y", asked, $"asked for, {Numbers.Brief(asked)}/s", "limit")]
                    : Array.Empty<ChartMark>(),
                .. time.Overlap.Select(stretch => new ChartMark("x", stretch.From, "all workers at work", "overlap", stretch.To)),
                .. Cuts(time),
            ],
            Note = time.SecondsPerBin > 1 && below.Any(chart => chart.Id == "latency-time")
                ? "Where several seconds share a place, the highest of each percentile is drawn."
                : null,
        };
    }

    /// <summary>429s in each second; null if there were none.</summary>
    private static Chart? Throttled(RunReport report, ReportTimeline time)
    {
        var most = report.Series.Max(point => point.Counts.Throttled);
        return most == 0 ? null : new(
            "throttled", "429s",
            $"{Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} attempts got a 429, "
                + $"{Numbers.Count(most)} in the worst second.",
            ChartAxis.Time(time.Seconds), new ChartAxis("429s per second"),
            [.. Smooth(time, time.Means([.. report.Series.Select(point => (double)point.Counts.Throttled)]), "throttled", "tail")])
        {
            At = time.BinStarts,
        };
    }

    /// <summary>Every second pale, and over it the mean of the seconds around it.</summary>
    private static IEnumerable<ChartSeries> Smooth(ReportTimeline time, double[] values, string colour, string pale)
    {
        var reach = SmoothSeconds / 2 / time.SecondsPerBin;
        var seconds = ((2 * reach) + 1) * time.SecondsPerBin;
        yield return ChartSeries.OfValues(
            time.SecondsPerBin == 1 ? "each second" : $"each {time.SecondsPerBin} s", reach == 0 ? colour : pale, ChartKind.Steps, values);
        if (reach == 0)
            yield break;
        yield return ChartSeries.OfValues(
            $"mean of {seconds} s", colour, ChartKind.Line,
            values.Select((_, i) => values[Math.Max(0, i - reach)..Math.Min(values.Length, i + reach + 1)].Average()));
    }

    private static string Mean(ThroughputReport rate) => rate.OverlapPerSecond is { } overlap
        ? $"; over the {Words.Amount(rate.OverlapSeconds, "second")} in which all workers were at work the mean is {Numbers.Brief(overlap)}"
        : "";

    /// <summary>Latency percentiles of each second; null if no second has any, as in reports of earlier versions.</summary>
    private static Chart? Latency(RunReport report, ReportTimeline time)
    {
        if (report.Series.Where(point => point.LatencyMs is not null).MaxBy(point => point.LatencyMs!.P99) is not { } worst)
            return null;
        var highest = Highest(report, time);
        IReadOnlyList<double?> Of(Func<LatencyBand, double> percentile) =>
            [.. highest.Select(band => band is null ? (double?)null : Math.Max(0.001, percentile(band)))];
        var (p50, p99) = (Of(band => band.P50), Of(band => band.P99));
        return new("latency-time", "Latency",
            $"The highest p99 of the operations that ended in one second is {Numbers.Brief(worst.LatencyMs!.P99)} ms, at "
                + $"{Numbers.Elapsed(time.At(worst.Second), time.Seconds)}.",
            ChartAxis.Time(time.Seconds), new ChartAxis("latency, ms (logarithmic)", ChartScale.Logarithmic),
            [
                new("p50 to p99", "tail", ChartKind.StepRange) { Low = p50, High = p99 },
                new("p99", "s5", ChartKind.Steps) { Y = p99 },
                new("p50", "s0", ChartKind.Steps) { Y = p50 },
            ])
        {
            At = time.BinStarts,
        };
    }

    private static LatencyBand?[] Highest(RunReport report, ReportTimeline time)
    {
        var highest = new LatencyBand?[time.Bins];
        foreach (var (position, point) in time.Positions.Zip(report.Series))
        {
            var bin = position / time.SecondsPerBin;
            if (point.LatencyMs is { } band)
                highest[bin] = highest[bin] is not { } seen ? band : new LatencyBand(
                    Math.Max(seen.P50, band.P50), Math.Max(seen.P95, band.P95), Math.Max(seen.P99, band.P99));
        }

        return highest;
    }

    /// <summary>How many operations took how long; null for reports of earlier versions.</summary>
    private static Chart? ResponseTimes(RunReport report)
    {
        var buckets = report.LatencyMs.Operations;
        if (buckets.Count == 0)
            return null;
        var total = buckets.Sum(bucket => bucket.Count);
        var fullest = buckets.MaxBy(bucket => bucket.Count);
        return new("histogram", "Response times of operations",
            $"{Numbers.Percent(fullest.Count / (double)total)} of {Numbers.Count(total)} operations took "
                + $"{Numbers.Brief(StartOf(fullest))} to {Numbers.Brief(fullest.UpperBoundMs)} ms, more than in any other "
                + "bar; all waits are in it.",
            new ChartAxis("ms (logarithmic)", ChartScale.Logarithmic), new ChartAxis("% of operations") { Min = 0 },
            [
                ChartSeries.From("operations", "s0", ChartKind.Bars,
                [
                    .. buckets.Select(one => new ChartPoint(
                        StartOf(one), 100.0 * one.Count / total,
                        $"under {Numbers.Brief(one.UpperBoundMs)} ms: {Numbers.Count(one.Count)}", To: one.UpperBoundMs)),
                ]),
            ]);
    }

    private static double StartOf(LatencyBucket bucket) => LatencyHistogram.CoarseStartMs(bucket.UpperBoundMs);

    /// <summary>
    /// Latency by percentile, of operations and attempts. Each unit of the x axis divides the share of slower ones by ten.
    /// </summary>
    private static Chart? LatencyByPercentile(RunReport report) => report.LatencyMs is { Operation.P50: null, Attempt.P50: null }
        ? null
        : new("latency", "Latency by percentile",
        $"Half of the operations took up to {Numbers.Brief(report.LatencyMs.Operation.P50)} ms, 99% up to "
            + $"{Numbers.Brief(report.LatencyMs.Operation.P99)} ms, the slowest {Numbers.Brief(report.LatencyMs.Operation.Max)} ms; of the "
            + $"single attempts {Numbers.Brief(report.LatencyMs.Attempt.P50)}, {Numbers.Brief(report.LatencyMs.Attempt.P99)} and "
            + $"{Numbers.Brief(report.LatencyMs.Attempt.Max)} ms.",
        new ChartAxis("percentile, %")
        {
            Min = 0,
            Max = MaxPlace + 0.2,
            Ticks =
            [
                new(Place(50), "50"), new(Place(90), "90"), new(Place(95), "95"), new(Place(99), "99"), new(Place(99.9), "99.9"),
                new(MaxPlace, "max"),
            ],
        },
        new ChartAxis("ms (logarithmic)", ChartScale.Logarithmic),
        [
            .. Curve("operation, with all waits", "s0", ChartKind.Line, report.LatencyMs.Operation),
            .. Curve("attempt", "s1", ChartKind.Dash, report.LatencyMs.Attempt),
        ]);

    /// <summary>Position of the largest value on the x axis, beyond that of 99.9%.</summary>
    private const double MaxPlace = 3.7;

    private static double Place(double percent) => -Math.Log10(1 - (percent / 100));

    private static IEnumerable<ChartSeries> Curve(string name, string colour, ChartKind kind, LatencySummary latency)
    {
        var points = new (double Place, double? Ms, string Name)[]
        {
            (Place(50), latency.P50, "p50"), (Place(90), latency.P90, "p90"), (Place(95), latency.P95, "p95"),
            (Place(96), latency.P96, "p96"), (Place(99), latency.P99, "p99"), (Place(99.9), latency.P999, "p99.9"),
            (MaxPlace, latency.Max, "max"),
        }.Where(point => point.Ms is not null).ToList();
        if (points.Count == 0)
            yield break;
        double Shown(double? ms) => Math.Max(0.001, ms!.Value);
        yield return ChartSeries.From(name, colour, kind, [.. points.Select(point => new ChartPoint(point.Place, Shown(point.Ms)))]);
        yield return ChartSeries.From(name, colour, ChartKind.Dots,
        [
            .. points.Select(point => new ChartPoint(
                point.Place, Shown(point.Ms), $"{point.Name}: {Numbers.Brief(point.Ms)} ms, {name}")),
        ]);
    }
}
