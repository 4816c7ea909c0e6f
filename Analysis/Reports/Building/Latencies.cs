namespace ScaleOut.Analysis.Reports.Building;

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
            .SelectMany(worker => worker.Legs.Where(run.HasMeasured).Select(leg => (Leg: leg, IsFirst: BeginsWithWarmup(run, worker, leg))))
            .ToList();
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
            || run.Interruptions.Any(one => one.From >= before.Max() && one.To <= leg.StartedAt);
    }
}
