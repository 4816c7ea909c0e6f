namespace ScaleOut.Analysis.Reports;

/// <summary>The figures of one run that findings use. A figure that was not measured is null.</summary>
public sealed record RunFigures
{
    /// <summary>Busy share of a machine's cores from which the machine counts as the limit of the workers that share it.</summary>
    private const double MachineShareAtLimit = BoundByRule.MachineShare;

    public required string RunId { get; init; }

    /// <summary>Only complete runs count.</summary>
    public required RunState State { get; init; }

    /// <summary>
    /// Documents per second, or operations per second for queries. This is the overlap rate if there is one, otherwise the makespan rate.
    /// </summary>
    public double? Rate { get; init; }

    /// <summary>Whether <see cref="Rate"/> is the overlap rate.</summary>
    public bool RateIsOverlap { get; init; }

    /// <summary>Mean RU/s.</summary>
    public double? RequestUnitsPerSecond { get; init; }

    /// <summary>RU per document that was written, read or deleted, or per query.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>Mean number of requests per operation, including retries. Null in bulk mode, where requests cannot be counted.</summary>
    public double? CallsPerOperation { get; init; }

    /// <summary>Mean number of documents that a query returned. Null for other workloads.</summary>
    public double? ItemsPerOperation { get; init; }

    /// <summary>Mean latency of an operation, including waits, ms.</summary>
    public double? MeanLatencyMs { get; init; }

    /// <summary>Median latency of an operation, ms.</summary>
    public double? P50LatencyMs { get; init; }

    /// <summary>96th percentile of the latency of an operation, ms.</summary>
    public double? P96LatencyMs { get; init; }

    /// <summary>99th percentile of the latency of an operation, ms.</summary>
    public double? P99LatencyMs { get; init; }

    /// <summary>
    /// Operations per second of each step of the load. Null for a step that was not reached. Empty if the load has no steps.
    /// </summary>
    public IReadOnlyList<double?> StepRates { get; init; } = [];

    public BoundBy? BoundBy { get; init; }

    /// <summary>
    /// Whether 429s of bursts, and not the use of all RU/s, made request units or a partition the limit. Other settings of the client can
    /// then raise the rate.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool CameInBursts { get; init; }

    public required int Workers { get; init; }

    /// <summary>Machines or function instances that the workers ran on.</summary>
    public required int DistinctInstances { get; init; }

    /// <summary>Smallest number of cores that a worker could use. Null if no worker reported it.</summary>
    public int? CoresPerWorker { get; init; }

    /// <summary>Kilobytes (1,000 bytes) of documents written per second; null if none are written.</summary>
    public double? KilobytesPerSecond { get; init; }

    /// <summary>Whether the run used an emulator. The speed of an emulator says nothing about the service.</summary>
    public bool Emulated { get; init; }

    /// <summary><inheritdoc cref="RunCost.StorePerMillion"/> Null for simulated runs, too.</summary>
    public double? StorePerMillion { get; init; }

    /// <summary>Throttled attempts / attempts, 0 to 1.</summary>
    public double? ThrottledShare { get; init; }

    /// <summary>Share of the operations' time that was spent waiting after 429s, 0 to 1.</summary>
    public double? ThrottledWaitShare { get; init; }

    /// <summary>Busy share of the busiest machine, 0 to 1.</summary>
    public double? MachineShare { get; init; }

    /// <summary>Whether the account used the indexing mode of the spec. Null if that is unknown.</summary>
    public bool? KeptIndexing { get; init; }

    /// <summary>Whether the figures come from the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>Whether the simulated account is one that the run did not start, so that its parameters are not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool HasUnknownPhysics { get; init; }

    /// <summary>Whether the simulated account responded late by its own parameters. False if this was not measured.</summary>
    public bool DelaysSlipped { get; init; }

    /// <inheritdoc cref="Validity.RateIsFixed"/>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool RateIsFixed { get; init; }

    /// <summary>
    /// Whether attempts waited for the clients' CPU (<see cref="Validity.Waited"/>), and no client was the limit on cores of its own.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Waited { get; init; }

    /// <summary>Whether nothing says if responses came in time, on a machine that was at its limit.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool FullWithoutDelays { get; init; }

    /// <summary>Whether the simulated account had a different number of physical partitions than the service would create.</summary>
    public bool LayoutIsCapped { get; init; }

    /// <summary>Whether workers shared a machine with each other or with the simulated account.</summary>
    public bool MachinesShared => DistinctInstances < Workers || Simulated;

    /// <summary>
    /// Whether a machine that the workers shared limited the rate. A saturated machine counts even if the report names another limit,
    /// except request units and a partition.
    /// </summary>
    public bool BoundByMachine => BoundBy == Reports.BoundBy.Machine
        || (OnSaturatedMachine && BoundBy is not (Reports.BoundBy.RequestUnits or Reports.BoundBy.Partition));

    /// <summary>Whether a machine that the workers shared was at its limit, whatever limited the rate.</summary>
    public bool OnSaturatedMachine => MachinesShared && MachineShare >= MachineShareAtLimit;

    /// <summary>Number of legs whose workers were lost and that were run again.</summary>
    public int LostLegs { get; init; }

    /// <inheritdoc cref="RunReport.NotComparable"/>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? NotComparable { get; init; }

    /// <summary>Whether the run is complete, has a rate above 0, and can be compared with others.</summary>
    public bool IsUsable => State == RunState.Complete && WhyLeftOut is null && Rate is > 0 and var rate && double.IsFinite(rate);

    /// <summary>Why a complete run counts for nothing, as the end of a sentence; null if it counts, or is not complete.</summary>
    [JsonIgnore]
    public string? WhyLeftOut => State == RunState.Complete ? NotComparable ?? (LostLegs > 0 ? LegsWereLost : null) : null;

    /// <summary>Why a run with a lost leg counts for nothing, as the end of a sentence.</summary>
    internal const string LegsWereLost = "a worker was lost and its work was begun again, so the figures contain the outage";

    /// <summary>
    /// How the machine came into the rate and the share of 429s; null if these are valid. What a budget or the schedule sets is valid on
    /// any machine. Operations of a closed loop that wait for latencies are as slow as these.
    /// </summary>
    [JsonIgnore]
    internal MachineEffect? RateSpoiledBy =>
        RateIsFixed ? null
        : DelaysSlipped ? MachineEffect.LateDelays
        : BoundByMachine || OnSaturatedMachine ? MachineEffect.FullMachine
        : Waited && (BoundBy is Reports.BoundBy.Latency or Reports.BoundBy.RequestUnits or Reports.BoundBy.Partition) ? MachineEffect.Waits
        : null;

    /// <summary>How the machine came into the latencies; null if these are valid.</summary>
    [JsonIgnore]
    internal MachineEffect? LatencySpoiledBy =>
        DelaysSlipped ? MachineEffect.LateDelays : FullWithoutDelays ? MachineEffect.FullMachine : Waited ? MachineEffect.Waits : null;

    /// <summary>Operations per second of a step, counted from 0. Null if the step was not reached.</summary>
    public double? RateOfStep(int step) => step < StepRates.Count ? StepRates[step] : null;

    public static RunFigures From(RunReport report)
    {
        var operation = report.LatencyMs.Operation;
        var cores = report.Workers.Select(worker => worker.Machine?.Cores).Where(count => count is not null).ToList();
        var figures = new RunFigures
        {
            RunId = report.Id,
            State = report.State,
            Rate = report.Throughput.Rate,
            RateIsOverlap = report.Throughput.OverlapPerSecond is not null,
            RequestUnitsPerSecond = report.RequestUnits.PerSecondMean,
            RequestUnitsPerOperation = report.RequestUnits.PerInsert ?? report.RequestUnits.PerOperation,
            CallsPerOperation = report.Requests.CallsPerOperation,
            ItemsPerOperation = report.Requests.ItemsPerOperation,
            MeanLatencyMs = operation.Mean,
            P50LatencyMs = operation.P50,
            P96LatencyMs = operation.P96,
            P99LatencyMs = operation.P99,
            StepRates = [.. report.Steps.OrderBy(step => step.Index).Select(step => step.PerSecond)],
            BoundBy = report.BoundBy,
            CameInBursts = report.BoundBy switch
            {
                Reports.BoundBy.RequestUnits => report.Utilization?.CameInBursts == true,
                Reports.BoundBy.Partition => !(report.Utilization?.PartitionSecondsAtLimit >= BoundByRule.PartitionSecondsShare),
                _ => false,
            },
            Workers = report.Spec.Workers,
            DistinctInstances = report.DistinctInstances,
            CoresPerWorker = cores.Min(),
            ThrottledShare = report.Requests.ThrottledShare,
            ThrottledWaitShare = report.Requests.ThrottledWaitShare,
            MachineShare = report.Utilization?.Machine,
            KeptIndexing = report.KeptIndexing,
            StorePerMillion = report.Cost?.StorePerMillion,
            KilobytesPerSecond = report.Throughput.KilobytesPerSecond,
            Emulated = report.Emulated,
            Simulated = report.Simulated,
            LayoutIsCapped = report.LayoutIsCapped,
            HasUnknownPhysics = report is { Simulated: true, Spec.Simulation: null },
            DelaysSlipped = report.Delays?.HaveSlipped ?? false,
            LostLegs = report.LostLegs,
            NotComparable = report.NotComparable,
            RateIsFixed = Validity.RateIsFixed(report),
        };
        return figures with
        {
            Waited = Validity.Waited(report) && (figures.OnSaturatedMachine || figures.BoundBy != Reports.BoundBy.Client),
            FullWithoutDelays = report.Delays is null && (figures.BoundByMachine || figures.OnSaturatedMachine),
        };
    }
}
