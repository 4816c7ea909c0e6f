namespace ScaleOut.Analysis.Findings;

/// <summary>The figures of one run that findings rest on. What was not measured is null.</summary>
public sealed record RunFigures
{
    /// <summary>Busy share of a machine's cores from which workers that share it are taken to be bound by it.</summary>
    private const double MachineShareAtLimit = BoundByRule.MachineShare;

    public required string RunId { get; init; }

    /// <summary>Only complete runs count.</summary>
    public required RunState State { get; init; }

    /// <summary>Documents (queries: operations) per second: the overlap rate, else the makespan rate.</summary>
    public double? Rate { get; init; }

    /// <summary>Whether <see cref="Rate"/> is the overlap rate.</summary>
    public bool RateIsOverlap { get; init; }

    /// <summary>Mean RU/s.</summary>
    public double? RequestUnitsPerSecond { get; init; }

    /// <summary>RU per document that was written, read or deleted, or per query.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>Requests that an operation took on average, retries included; null in bulk, where they are not seen.</summary>
    public double? CallsPerOperation { get; init; }

    /// <summary>Mean latency of an operation, waits included, ms.</summary>
    public double? MeanLatencyMs { get; init; }

    /// <summary>Median latency of an operation, ms.</summary>
    public double? P50LatencyMs { get; init; }

    /// <summary>96th percentile of the latency of an operation, ms.</summary>
    public double? P96LatencyMs { get; init; }

    /// <summary>99th percentile of the latency of an operation, ms.</summary>
    public double? P99LatencyMs { get; init; }

    /// <summary>Operations per second of each step of the load, null for one that was not reached; empty without steps.</summary>
    public IReadOnlyList<double?> StepRates { get; init; } = [];

    public BoundBy? BoundBy { get; init; }

    public required int Workers { get; init; }

    /// <summary>Machines or function instances that the workers ran on.</summary>
    public required int DistinctInstances { get; init; }

    /// <summary>Cores that the smallest worker might use; null when no worker reported any.</summary>
    public int? CoresPerWorker { get; init; }

    /// <summary>Kilobytes (1,000 bytes) of documents written per second; null if none are written.</summary>
    public double? KilobytesPerSecond { get; init; }

    /// <summary>Whether the run went to an emulator, whose speed says nothing.</summary>
    public bool Emulated { get; init; }

    /// <summary>Throttled attempts / attempts, 0 to 1.</summary>
    public double? ThrottledShare { get; init; }

    /// <summary>Busy share of the busiest machine, 0 to 1.</summary>
    public double? MachineShare { get; init; }

    /// <summary>Whether the account kept the indexing mode that was asked for; null when it is not known.</summary>
    public bool? KeptIndexing { get; init; }

    /// <summary>Whether the figures come from the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>Whether the simulated account gave its responses later than its physics say; false where that was not measured.</summary>
    public bool DelaysSlipped { get; init; }

    /// <summary>Whether the simulated account had other physical partitions than the service gives.</summary>
    public bool LayoutIsCapped { get; init; }

    /// <summary>Whether workers shared a machine with each other or with the simulated account.</summary>
    public bool MachinesShared => DistinctInstances < Workers || Simulated;

    /// <summary>Whether a machine that the workers shared was at its limit, also where a worker was at its own as well.</summary>
    public bool BoundByMachine => BoundBy == Reports.BoundBy.Machine
        || (OnSaturatedMachine && BoundBy is not (Reports.BoundBy.RequestUnits or Reports.BoundBy.Partition));

    /// <summary>Whether a machine that the workers shared was at its limit, whatever bound them.</summary>
    public bool OnSaturatedMachine => MachinesShared && MachineShare >= MachineShareAtLimit;

    /// <summary>Whether the run has a rate to show: it is complete, and its rate is above 0.</summary>
    public bool IsUsable => State == RunState.Complete && Rate is > 0 and var rate && double.IsFinite(rate);

    /// <summary>Whether findings may rest on the run: it is usable, and its delays were those of the physics.</summary>
    public bool CountsForFindings => IsUsable && !DelaysSlipped;

    /// <summary>Operations per second of a step, from 0; null when it was not reached.</summary>
    public double? RateOfStep(int step) => step < StepRates.Count ? StepRates[step] : null;

    /// <summary>Takes the figures from a run's report.</summary>
    public static RunFigures From(RunReport report)
    {
        var operation = report.LatencyMs.Operation;
        var cores = report.Workers.Select(worker => worker.Machine?.Cores).Where(count => count is not null).ToList();
        return new RunFigures
        {
            RunId = report.Id,
            State = report.State,
            Rate = report.Throughput.Rate,
            RateIsOverlap = report.Throughput.OverlapPerSecond is not null,
            RequestUnitsPerSecond = report.RequestUnits.PerSecondMean,
            RequestUnitsPerOperation = report.RequestUnits.PerInsert ?? report.RequestUnits.PerOperation,
            CallsPerOperation = report.Requests.CallsPerOperation,
            MeanLatencyMs = operation.Mean,
            P50LatencyMs = operation.P50,
            P96LatencyMs = operation.P96,
            P99LatencyMs = operation.P99,
            StepRates = [.. report.Steps.OrderBy(step => step.Index).Select(step => step.PerSecond)],
            BoundBy = report.BoundBy,
            Workers = report.Spec.Workers,
            DistinctInstances = report.DistinctInstances,
            CoresPerWorker = cores.Min(),
            ThrottledShare = report.Requests.ThrottledShare,
            MachineShare = report.Utilization?.Machine,
            KeptIndexing = report.KeptIndexing,
            KilobytesPerSecond = report.Throughput.KilobytesPerSecond,
            Emulated = report.Emulated,
            Simulated = report.Simulated,
            LayoutIsCapped = report.LayoutIsCapped,
            DelaysSlipped = report.Delays?.HaveSlipped ?? false,
        };
    }
}
