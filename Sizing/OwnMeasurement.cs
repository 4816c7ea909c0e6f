namespace ScaleOut.Sizing;

/// <summary>
/// A short run that <c>size</c> makes to learn what an operation costs a client in CPU: one worker on one core of this machine, and a
/// simulated account.
/// </summary>
internal static class OwnMeasurement
{
    private const double Seconds = 10;
    private const double MaxRate = 1_000;
    private const double MaxBytesPerSecond = 10e6;
    private const int Concurrency = 50;

    /// <summary>Factor on the RU/s that the run uses, so that nothing is throttled.</summary>
    private const int AmpleThroughput = 3;

    /// <summary>The run that is made for a fleet's spec.</summary>
    public static RunSpec SpecFor(RunSpec spec)
    {
        var bytes = DocumentShape.From(spec.Document).Bytes;
        var rate = Math.Max(1, Math.Min(MaxRate, MaxBytesPerSecond / bytes));
        var throughput = rate * RunEstimate.ChargeOf(spec, bytes) * AmpleThroughput;
        return spec with
        {
            Id = RunIds.New(TimeProvider.System.GetUtcNow()),
            Workers = 1,
            Documents = (long)(rate * Seconds),
            Client = spec.Client with { Rate = rate, Cores = 1, Concurrency = Concurrency },
            Workload = spec.Workload with { ThinkTime = TimeSpan.Zero, RequestUnitRate = null, MaxRequestUnitShare = null },
            Container = spec.Container with
            {
                Name = null,
                Autoscale = false,
                Throughput = (int)Math.Clamp(
                    Math.Ceiling(throughput / 100) * 100, ContainerSpec.MinThroughput, ContainerSpec.MaxThroughput),
            },
            Simulation = new SimulationSpec { Latency = spec.Simulation?.Latency, Charges = spec.Simulation?.Charges },
        };
    }
}
