using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Building;

/// <summary>
/// The rate that a plan's RU budget, latency and operations in flight allow, with clients and machines that cost no time: what separates variants by physics alone.
/// </summary>
public static class ExpectedRate
{
    private const int MostThroughput = 10_000_000;

    /// <summary>Documents (queries: operations) per second; null where neither budget nor latency are known.</summary>
    /// <param name="plan">A valid plan.</param>
    /// <param name="simulated">Whether it goes to the simulated account, whose latency is known.</param>
    public static double? Of(RunSpec plan, bool simulated)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var target = simulated ? RunTarget.SimulatedAccount : RunTarget.Undecided;
        var steady = Steady(plan);
        var limits = new List<double>();
        if (plan.Container.Name is null && RunEstimate.Of(steady, target).RequestUnits is > 0 and var units)
            limits.Add(plan.Container.Throughput * plan.Documents / units);

        // Without a budget that could bind, what is left of the estimate is latency and asked rates.
        var unlimited = plan.Container.Name is null ? steady with { Container = steady.Container with { Throughput = MostThroughput } } : steady;
        var estimate = RunEstimate.Of(unlimited, target);
        if (estimate.Seconds - (plan.Container.Name is null ? estimate.PopulationRequestUnits / MostThroughput : 0) is > 0 and var seconds)
            limits.Add(plan.Documents / seconds / (simulated ? SlownessOf(plan) : 1));
        return limits.Count == 0 ? null : limits.Min();
    }

    /// <summary>A step load as a closed loop with its mean number of users.</summary>
    private static RunSpec Steady(RunSpec plan)
    {
        if (plan.Workload.Steps is not { Count: > 0 } steps)
            return plan;
        var total = steps.Sum(step => step.Duration.TotalSeconds);
        var users = steps.Sum(step => step.Duration.TotalSeconds * Enumerable.Range(0, plan.Workers).Sum(worker => step.ConcurrencyOf(worker, plan.Workers) ?? 0)) / total;
        var rate = steps.Sum(step => step.Duration.TotalSeconds * (step.Rate ?? 0)) / total;
        return plan with
        {
            Workload = plan.Workload with { Steps = null },
            Client = plan.Client with { Concurrency = Math.Max(1, (int)Math.Round(users / plan.Workers)), Rate = rate > 0 ? rate : null },
        };
    }

    /// <summary>How much longer an operation takes than one with a single trip: a query that asks all partitions one after the other makes a trip to each.</summary>
    private static double SlownessOf(RunSpec plan)
    {
        if (plan.Workload is not { Kind: WorkloadKind.Query, Query: { PartitionKey: null, MaxConcurrency: null or 0 or 1 } })
            return 1;
        var simulation = plan.Simulation ?? new SimulationSpec();
        var latency = simulation.Latency ?? LatencyProfile.SameRegion;
        var trip = latency.RoundTripMs + latency.ReadMedianMs + (plan.Client.ConnectionMode == ConnectionMode.Gateway ? latency.GatewayHopMs : 0);
        var think = plan.Workload.ThinkTime.TotalMilliseconds;
        return trip + think > 0 ? (think + (trip * simulation.PartitionsFor(plan.Container.Throughput))) / (think + trip) : 1;
    }
}
