namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Adds up the counts of legs.</summary>
internal static class ReportCounts
{
    public static ReportedDocuments Documents(long asked, IReadOnlyList<LegResult> legs, long? verified = null)
    {
        var counts = Counts.Sum(legs.Select(leg => leg.Counts));
        return new()
        {
            Asked = asked,
            Inserted = counts.Inserted,
            AlreadyPresent = counts.AlreadyPresent,
            Failed = counts.Failed,
            Remaining = asked - counts.Done,
            Verified = verified,
            Rise = legs.Any(leg => leg.Kinds.Count > 0) ? legs.SelectMany(leg => leg.Kinds).Sum(RiseBy) : null,
        };
    }

    /// <summary>By how much the operations of a kind change the container's count.</summary>
    private static long RiseBy(PartSample sample)
    {
        var done = sample.Counts.Inserted + sample.Counts.AlreadyPresent;
        var kind = (WorkloadKind)sample.Part;
        return kind.LeavesCount() ? 0 : kind == WorkloadKind.Delete ? -done : done;
    }

    /// <summary>Mean size of the documents that were written; null if none was.</summary>
    public static double? DocumentBytes(IReadOnlyList<LegResult> legs)
    {
        var counts = Counts.Sum(legs.Select(leg => leg.Counts));
        return counts.Bytes == 0 || counts.Inserted == 0 ? null : Math.Round(counts.Bytes / (double)counts.Inserted, 3);
    }

    public static ThrottledReport? ThrottledResponses(IReadOnlyList<LegResult> legs)
    {
        List<ThrottledSample> samples = [.. legs.Select(leg => leg.ThrottledResponses).OfType<ThrottledSample>()];
        return samples.Count == 0 ? null : new ThrottledReport(
            samples.Min(sample => sample.RetryAfterMinMs), samples.Max(sample => sample.RetryAfterMaxMs),
            LatencySummary.From(LatencyMerge.Merge(samples.Select(sample => sample.Latency))));
    }

    public static ReportedRequests Requests(IReadOnlyList<LegResult> legs)
    {
        var errors = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (var (status, count) in legs.SelectMany(leg => leg.OtherErrors))
            errors[status] = errors.GetValueOrDefault(status) + count;
        var calls = legs.Any(leg => leg.Calls is null) ? null : legs.Sum(leg => leg.Calls);
        var items = legs.Any(leg => leg.Items is null) ? null : legs.Sum(leg => leg.Items);
        var operations = legs.Sum(leg => leg.Operations);
        var waitMs = legs.Any(leg => leg.ThrottledWaitMs is null) ? null : legs.Sum(leg => leg.ThrottledWaitMs);
        var operationMs = legs.Sum(leg => leg.OperationLatency.SumMicroseconds) / 1000.0;
        return new()
        {
            Operations = operations,
            Calls = legs.Count > 0 ? calls : null,
            CallsPerOperation = legs.Count > 0 && calls is { } sent ? Rounding.Ratio(sent, operations) : null,
            Items = legs.Count > 0 ? items : null,
            ItemsPerOperation = legs.Count > 0 && items is { } found ? Rounding.Ratio(found, operations) : null,
            Attempts = legs.Sum(leg => leg.Counts.Attempts),
            Throttled = legs.Sum(leg => leg.Counts.Throttled),
            OpeningThrottled = legs.Sum(leg => leg.OpeningThrottled),
            PreloadThrottled = legs.Sum(leg => leg.PreloadThrottled),
            ThrottledWaitShare = waitMs is { } waited && operationMs > 0 ? Math.Round(Math.Min(1, waited / operationMs), 4) : null,
            OtherErrors = errors.Values.Sum(),
            ErrorsByStatus = errors,
        };
    }
}

/// <summary>
/// Rates of a run and of each of its workers, over the same overlap window, so that the workers' rates add up to the run's.
/// </summary>
internal static class ReportRates
{
    public static ThroughputReport Throughput(MergedRun run) => Throughput(run, run.Workers, run.Legs, run.Times.Makespan);

    public static ThroughputReport Throughput(MergedRun run, WorkerLegs worker) =>
        Throughput(run, [worker], worker.Legs, run.MakespanOf(worker));

    private static ThroughputReport Throughput(
        MergedRun run, IReadOnlyList<WorkerLegs> workers, IReadOnlyList<LegResult> legs, TimeSpan? makespan)
    {
        var (inserted, window) = (workers.Sum(worker => worker.Inserted), run.Window);
        var inWindow = workers.Sum(worker => (double)run.Series[worker.Index].InsertedIn(window));
        var due = workers.Sum(worker => InsertedOfDue(run, worker));
        var asked = workers.Select(worker => run.Spec.ScheduledRateOf(worker.Index)).ToList();
        var rates = new ThroughputReport
        {
            MakespanPerSecond = makespan is { } time ? Rounding.Ratio(inserted, time.TotalSeconds) : null,
            MakespanSeconds = makespan is { } lasted ? Math.Round(lasted.TotalSeconds, 3) : null,
            OverlapPerSecond = OverlapWindow.IsUsable(window) ? Rounding.Ratio(due, window.Count) : null,
            OverlapSeconds = checked((int)window.Count),
            CaughtUp = OverlapWindow.IsUsable(window) ? (long)Math.Round(inWindow - due) : 0,
            AskedPerSecond = asked.TrueForAll(rate => rate is not null) ? asked.Sum() : null,
        };
        // Bytes are counted over the whole run, so the rate uses the mean size of a document.
        return rates with { KilobytesPerSecond = Rounding.Amount(rates.Rate * ReportCounts.DocumentBytes(legs) / 1000) };
    }

    /// <summary>
    /// Documents that a worker inserted in the window, at most as many as its schedule has in that time. More were due before the window,
    /// in a pause such as a slow start.
    /// </summary>
    private static double InsertedOfDue(MergedRun run, WorkerLegs worker)
    {
        var inserted = (double)run.Series[worker.Index].InsertedIn(run.Window);
        return run.Spec.ScheduledRateOf(worker.Index) is { } rate ? Math.Min(inserted, rate * run.Window.Count) : inserted;
    }

    public static RequestUnitReport RequestUnits(MergedRun run) =>
        RequestUnits(run, run.Legs, run.Total) with { BudgetPerSecond = Rounding.Amount(run.MeanBudget) };

    public static RequestUnitReport RequestUnits(MergedRun run, WorkerLegs worker) =>
        RequestUnits(run, worker.Legs, run.Series[worker.Index]);

    private static RequestUnitReport RequestUnits(MergedRun run, IReadOnlyList<LegResult> legs, SecondSeries series)
    {
        // Tables are not charged in RU, and 0 RU per insert would look like a measurement.
        if (run.Spec.Workload.Kind.UsesTables())
            return new RequestUnitReport { Total = 0, Opening = 0 };
        var total = legs.Sum(leg => leg.Counts.RequestUnits);
        // The share of the budget is of the same seconds, so that the two figures agree.
        var mean = run.TimeErrors.Count == 0 && run.JudgedSeconds.Count > 0
            ? Rounding.Ratio(series.RequestUnitsIn(run.JudgedSeconds), run.JudgedSeconds.Count)
            : null;
        return new()
        {
            Total = Rounding.Amount(total),
            PerInsert = Rounding.Ratio(total, legs.Sum(leg => leg.Counts.Inserted)),
            PerOperation = Rounding.Ratio(total, legs.Sum(leg => leg.Operations)),
            Preload = Rounding.Amount(legs.Sum(leg => leg.PreloadRequestUnits)),
            Throttled = Rounding.Amount(legs.Sum(leg => leg.Counts.ThrottledRequestUnits)),
            PerSecondMean = legs.Count > 0 ? mean : null,
            PerSecondPeak = Rounding.Amount(series.Seconds.Values.Max(second => (double?)second.Counts.RequestUnits)),
            Opening = Rounding.Amount(legs.Sum(leg => leg.OpeningRequestUnits)),
        };
    }
}

/// <summary>
/// Latencies of a run and of each of its workers. They leave out the same times as rates: the warm-up after the start and after each
/// interruption. In a run without an overlap window, both are from the first start to the last end.
/// </summary>
internal static class Latencies
{
    /// <summary>Smallest number of attempts on either side of a quantile.</summary>
    private const int MinBeyond = 5;

    private static readonly double[] Probabilities = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999];

    public static LatencyReport From(MergedRun run) => From(run, run.Workers, withBuckets: true);

    public static LatencyReport From(MergedRun run, WorkerLegs worker) => From(run, [worker], withBuckets: false);

    private static LatencyReport From(MergedRun run, IReadOnlyList<WorkerLegs> workers, bool withBuckets)
    {
        var legs = workers
            .SelectMany(worker => worker.Legs.Select(leg => (Leg: leg, IsFirst: BeginsWithWarmup(run, worker, leg)))).ToList();
        LatencyReport Of(bool withWarmup)
        {
            LatencyHistogram Merged(Func<LegResult, LatencyHistogram> all, Func<LegResult, LatencyHistogram?> warm) =>
                LatencyMerge.Merge(legs.Select(one => one.IsFirst && !withWarmup ? warm(one.Leg) ?? all(one.Leg) : all(one.Leg)));
            var attempts = Merged(leg => leg.AttemptLatency, leg => leg.WarmAttemptLatency);
            var operations = Merged(leg => leg.OperationLatency, leg => leg.WarmOperationLatency);
            return new()
            {
                Operation = LatencySummary.From(operations),
                Attempt = LatencySummary.From(attempts),
                AttemptQuantiles = withBuckets ? [.. Quantiles(attempts)] : [],
                Operations = withBuckets ? operations.ToCoarse().Buckets() : [],
                IncludesWarmup = withWarmup && run.Spec.Warmup > TimeSpan.Zero,
                ClosedLoop = workers.Any(worker => ClosedLoops.Has(run.Spec, worker.Index)),
            };
        }

        var known = OverlapWindow.IsUsable(run.Window) && legs.TrueForAll(one => !one.IsFirst || one.Leg.WarmOperationLatency is not null);
        return known && Of(withWarmup: false) is { Operation.Mean: not null } warm ? warm : Of(withWarmup: true);
    }

    private static IEnumerable<LatencyQuantile> Quantiles(LatencyHistogram attempts) => Probabilities
        .Where(probability => attempts.Count * Math.Min(probability, 1 - probability) >= MinBeyond)
        .Select(probability => new LatencyQuantile(probability, Rounding.Latency(attempts.PercentileMs(100 * probability))!.Value));

    private static bool BeginsWithWarmup(MergedRun run, WorkerLegs worker, LegResult leg)
    {
        var before = worker.Legs.Where(other => other.EndedAt <= leg.StartedAt && other != leg).Select(other => other.EndedAt).ToList();
        return before.Count == 0
            || run.Times.Interruptions.Any(one => one.From >= before.Max() && one.To <= leg.StartedAt);
    }
}
