using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>
/// The rate that a spec's RU budget, latency and operations in flight allow, with clients and machines that cost no time: what separates
/// variants by physics alone.
/// </summary>
public static class ExpectedRate
{
    private const int MostThroughput = 10_000_000;

    /// <summary>Documents (queries: operations) per second; null where neither budget nor latency are known.</summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="simulated">Whether it goes to the simulated account, whose latency is known.</param>
    public static double? From(RunSpec spec, bool simulated)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var target = simulated ? RunTarget.SimulatedAccount : RunTarget.Undecided;
        var steady = Steady(spec);
        var limits = new List<double>();
        if (spec.Container.Name is null && RunEstimate.From(steady, target).RequestUnits is > 0 and var units)
            limits.Add(spec.Container.Throughput * spec.Documents / units);

        // Without a budget that could bind, what is left of the estimate is latency and asked rates.
        var unlimited = spec.Container.Name is null
            ? steady with { Container = steady.Container with { Throughput = MostThroughput } }
            : steady;
        var estimate = RunEstimate.From(unlimited, target);
        if (estimate.Seconds - (spec.Container.Name is null ? estimate.PreloadRequestUnits / MostThroughput : 0) is > 0 and var seconds)
            limits.Add(spec.Documents / seconds / (simulated ? SlownessOf(spec) : 1));
        return limits.Count == 0 ? null : limits.Min();
    }

    /// <summary>A step load as a closed loop with its mean number of users.</summary>
    private static RunSpec Steady(RunSpec spec)
    {
        if (spec.Workload.Steps is not { Count: > 0 } steps)
            return spec;
        var total = steps.Sum(step => step.Duration.TotalSeconds);
        var users =
            steps.Sum(
                step =>
                    step.Duration.TotalSeconds * Enumerable.Range(0, spec.Workers)
                        .Sum(worker => step.ConcurrencyOf(worker, spec.Workers) ?? 0)) / total;
        var rate = steps.Sum(step => step.Duration.TotalSeconds * (step.Rate ?? 0)) / total;
        return spec with
        {
            Workload = spec.Workload with { Steps = null },
            Client = spec.Client with { Concurrency = Math.Max(1, (int)Math.Round(users / spec.Workers)), Rate = rate > 0 ? rate : null },
        };
    }

    /// <summary>
    /// How much longer an operation takes than one with a single trip: a query that asks all partitions one after the other makes a trip to
    /// each.
    /// </summary>
    private static double SlownessOf(RunSpec spec)
    {
        if (spec.Workload is not { Kind: WorkloadKind.Query, Query: { PartitionKey: null, MaxConcurrency: null or 0 or 1 } })
            return 1;
        var simulation = spec.Simulation ?? new SimulationSpec();
        var latency = simulation.Latency ?? LatencyProfile.SameRegion;
        var trip = latency.WayMs(spec.Client.ConnectionMode) + latency.MedianServiceMs(write: false);
        var think = spec.Workload.ThinkTime.TotalMilliseconds;
        return trip + think > 0 ? (think + (trip * simulation.PartitionsFor(spec.Container))) / (think + trip) : 1;
    }
}
