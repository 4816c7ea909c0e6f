namespace ScaleOut.Sizing.Prediction;

/// <summary>Simulates a fleet, or a sample of it, in virtual time.</summary>
/// <remarks>
/// If there are more operations than <see cref="FleetSpec.MaxOperations"/>, every k-th worker and partition is simulated: each worker
/// keeps its load, and each partition its requests. This holds if operations spread evenly and are requests of their own. In bulk, where
/// partitions decide how full requests are, with busier keys, and with queries of all partitions, the whole fleet is simulated until it is
/// steady.
/// </remarks>
internal static class VirtualFleet
{
    /// <summary>Smallest number of workers and of partitions of a sample.</summary>
    public const int MinSampled = 16;

    /// <summary>Simulates a fleet. The same spec gives the same result.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The spec is not valid.</exception>
    /// <exception cref="OperationCanceledException">The simulation was cancelled.</exception>
    public static FleetResult Simulate(FleetSpec spec, CancellationToken cancellationToken = default)
    {
        Check(spec);
        var sample = SampleOf(spec);
        var simulation = new FleetSimulation(sample);
        var steady = false;
        simulation.Run(running => steady = running.Tally.Attempts >= sample.MaxOperations && running.IsSteady, cancellationToken);
        return Describe(spec, sample, simulation, steady);
    }

    internal static FleetSpec SampleOf(FleetSpec spec)
    {
        var operations = AttemptsPerSecond(spec) * spec.Duration.TotalSeconds;
        var asksSeveral = spec.Mix.Any(one => one.Query is { Partitions: > 1 });
        if (spec.Bulk || asksSeveral || (spec.PartitionWeights ?? spec.ReadWeights) is not null || operations <= spec.MaxOperations)
            return spec;
        var share = spec.MaxOperations / operations;
        var workers = Math.Max(MinSampled, (int)Math.Round(spec.Workers * share));
        var partitions = (int)Math.Round(spec.Partitions * (workers / (double)spec.Workers));
        if (partitions < MinSampled)
        {
            partitions = MinSampled;
            workers = (int)Math.Round(spec.Workers * (partitions / (double)spec.Partitions));
        }

        return workers >= spec.Workers || partitions >= spec.Partitions || workers < MinSampled ? spec : spec with
        {
            Workers = workers,
            Partitions = partitions,
            Throughput = spec.Throughput * workers / spec.Workers,
        };
    }

    /// <summary>Rough estimate of the highest rate of attempts: the lowest of all limits.</summary>
    private static double AttemptsPerSecond(FleetSpec spec)
    {
        var loops = (double)spec.Workers * spec.Concurrency;
        var latencyMs = spec.Latency.NetworkMs(spec.ConnectionMode) + spec.OverheadMs + spec.ThinkTime.TotalMilliseconds
            + spec.Latency.MedianServiceMs(
                spec.IsWrite, spec.DocumentsPerOperation, spec.DocumentsPerOperation * spec.BytesPerDocument / 1024.0);
        var byLatency = loops * 1000 / (latencyMs + spec.CpuMsPerAttempt);
        var byCpu = spec.CpuMsPerAttempt > 0
            ? (double)spec.Workers * spec.Cores * 1000 / spec.CpuMsPerAttempt
            : double.PositiveInfinity;
        var pages = spec.Mix.Count > 0 ? spec.Mix.Sum(one => one.Share * (one.Query?.Pages ?? 1)) : 1;
        var byRate = spec.Rate is { } rate ? pages * spec.Workers * rate / spec.DocumentsPerOperation : double.PositiveInfinity;
        // A throttled loop comes back a few times a second.
        var byBudget = (pages * spec.Throughput / (spec.ChargePerDocument * spec.DocumentsPerOperation)) + (4 * loops);
        return Math.Min(Math.Min(byLatency, byCpu), Math.Min(byRate, byBudget));
    }

    private static FleetResult Describe(FleetSpec spec, FleetSpec sample, FleetSimulation simulation, bool steady)
    {
        var tally = simulation.Tally;
        var from = simulation.WarmupSeconds;
        var seconds = Math.Max(0, simulation.SecondsDone - from);
        var factor = spec.Workers / (double)sample.Workers;
        var coreTicks = (double)sample.Cores * seconds * TimeSpan.TicksPerSecond;
        double[] shares = [.. simulation.Pools.Select(pool => coreTicks > 0 ? Math.Min(1, pool.BusyTicks / coreTicks) : 0)];
        return new FleetResult
        {
            Spec = spec,
            Sample = new FleetSample(sample.Workers, sample.Partitions, simulation.SecondsDone, steady),
            Counts = tally.Counts,
            Ended = tally.Ended,
            ThrottledShare = tally.Measured.ThrottledShare ?? 0,
            ThrottledPerSecond = [.. tally.ThrottledInSecond.Skip(from).Take(seconds).Select(count => (double)count)],
            OperationsPerRequest = tally.Requests > 0 ? tally.Attempts / (double)tally.Requests : null,
            DocumentsPerSecond = [.. tally.Documents.Skip(from).Take(seconds).Select(documents => documents * factor)],
            DocumentsDue = factor * tally.Due.Skip(from).Take(seconds).Sum(),
            PartitionUnits = [.. tally.UnitParts.Select(Units)],
            PartitionBudget = sample.Throughput / sample.Partitions,
            Operation = tally.Operation,
            OperationByKind = tally.OperationByKind,
            Attempt = tally.Attempt,
            ClientCpu = shares.Average(),
            BusiestClientCpu = shares.Max(),
            KeptSchedule = simulation.KeptSchedule,
        };

        IReadOnlyList<double> Units(long[] parts) => [.. parts.Skip(from).Take(seconds).Select(units => new RequestUnits(units).Value)];
    }

    private static void Check(FleetSpec spec)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(spec.Workers, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(spec.Concurrency, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(spec.Partitions, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(spec.DocumentsPerOperation, 1);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(spec.ChargePerDocument);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(spec.Throughput);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(spec.Cores);
        ArgumentOutOfRangeException.ThrowIfNegative(spec.CpuMsPerAttempt);
        ArgumentOutOfRangeException.ThrowIfNegative(spec.OverheadMs);
        foreach (var weights in new[] { spec.PartitionWeights, spec.ReadWeights })
        {
            if (weights is not null && (weights.Count != spec.Partitions || !(weights.Sum() > 0) || weights.Min() < 0))
                throw new ArgumentOutOfRangeException(nameof(spec), "Each partition needs a weight of at least 0, one of them above 0.");
        }

        if (spec.Duration <= spec.Warmup)
            throw new ArgumentOutOfRangeException(nameof(spec), "The duration must be longer than the warm-up.");
    }
}
