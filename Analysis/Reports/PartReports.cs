namespace ScaleOut.Analysis.Reports;

/// <summary>What one worker did, over all its legs.</summary>
public sealed record WorkerReport
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>Its effective client settings.</summary>
    public required ClientSettings Settings { get; init; }

    public required ReportedDocuments Documents { get; init; }

    public required ReportedRequests Requests { get; init; }

    public required ThroughputReport Throughput { get; init; }

    public required RequestUnitReport RequestUnits { get; init; }

    public required LatencyReport LatencyMs { get; init; }

    /// <summary>The machine of its last leg. Times, collections and pauses are summed over all legs. Null without results.</summary>
    public MachineReport? Machine { get; init; }

    /// <summary>Median of ten TCP connects to the account, ms; null when it was not measured.</summary>
    public double? RoundTripMs { get; init; }

    /// <summary>When it was first at work; null when it never was.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>When it was last at work; null when it never was.</summary>
    public DateTimeOffset? EndedAt { get; init; }

    /// <summary>How long after the common start instant it started, ms; null when its first leg left no result.</summary>
    public double? StartLatenessMs { get; init; }

    /// <summary>
    /// How far its clock was ahead of the one that set the common start, ms; null when its first leg left no result.
    /// </summary>
    public ClockSkew? ClockSkewMs { get; init; }

    /// <summary>Time between the end of a leg and the start of the next one, summed, without interruptions. Includes lost legs.</summary>
    public required double IdleBetweenLegsSeconds { get; init; }

    /// <summary>CPU time of its process while at work, summed over its legs.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Share of its cores in its busiest second among those that say what bound the run, 0 to 1; null without any.</summary>
    public double? CpuShareMax { get; init; }

    /// <summary>Documents inserted in each second of <see cref="RunReport.Series"/>, entry by entry.</summary>
    public IReadOnlyList<long> PerSecond { get; init; } = [];
}

/// <summary>The load of one physical partition, attributed by the hash of each document's partition key.</summary>
public sealed record PartitionReport
{
    /// <summary>Ordinal in order of ranges, from 0.</summary>
    public required int Id { get; init; }

    /// <summary>Effective partition keys, hexadecimal, from (inclusive) to (exclusive), such as <c>"-3F"</c> for all below 3F.</summary>
    public required string Range { get; init; }

    /// <summary>
    /// RU/s that it may use: the container's, divided by the number of partitions. Null if the account does not report it.
    /// </summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether the even share is an assumption: a real account does not say how it shares its RU/s out.</summary>
    public required bool AssumedEven { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>RU charged in each second of <see cref="RunReport.Series"/>, entry by entry.</summary>
    public IReadOnlyList<double> PerSecond { get; init; } = [];
}

/// <summary>
/// How much of each limit a run used over the seconds that <see cref="RunReport.BoundBy"/> rests on; shares are 0 to 1, null if it is
/// not known.
/// </summary>
public sealed record Utilization
{
    /// <summary>Mean RU/s / the container's budget.</summary>
    public double? RequestUnits { get; init; }

    /// <summary>
    /// Share of seconds in which a partition used at least <see cref="Building.BoundByRule.PartitionShare"/> of its budget. Of the
    /// partitions that got at least 1.1 times the mean of the others, the one with the largest share counts. Null if none stands out.
    /// </summary>
    public double? PartitionSecondsAtLimit { get; init; }

    /// <summary>
    /// 429s of one partition / attempts of the whole run. The partition stands out as above and has more than half of the run's 429s. Null
    /// if there is none.
    /// </summary>
    public double? PartitionThrottledShare { get; init; }

    /// <summary>
    /// Share of seconds with at least as many errors as successes. If errors followed the last success, all seconds after it count.
    /// </summary>
    public double? ErrorSeconds { get; init; }

    /// <summary>CPU time of the busiest worker's process / (time x its cores).</summary>
    public double? Client { get; init; }

    /// <summary>Largest share that any worker used of its cores in one second.</summary>
    public double? ClientMax { get; init; }

    /// <summary>Busy share of all cores of the busiest machine, whoever used them.</summary>
    public double? Machine { get; init; }

    /// <summary>The machine's share in its busiest second.</summary>
    public double? MachineMax { get; init; }

    /// <summary>
    /// Part of <see cref="Machine"/> that the run's worker processes used. Null if the machine does not report its cores.
    /// </summary>
    public double? MachineByWorkers { get; init; }

    /// <summary>Part of <see cref="Machine"/> that the simulated account's process used; null if that was not measured.</summary>
    public double? MachineByAccount { get; init; }

    /// <summary>
    /// Part of <see cref="Machine"/> that other programs and the operating system used. Null if either of the other parts is not known.
    /// </summary>
    public double? MachineByOthers { get; init; }

    /// <summary>
    /// Whether every worker was an open loop that kept its schedule, or all of them used nearly all of the RU/s that the workload limits
    /// them to; null without either.
    /// </summary>
    public bool? KeptSchedule { get; init; }
}

/// <summary>
/// What a run did in the time of one step of its load, over all workers. Operations count in the step in which they ended.
/// </summary>
public sealed record StepReport
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>Operations in flight over all workers; null when the step sets another kind of load.</summary>
    public int? Users { get; init; }

    /// <summary>Operations in flight per worker; null when the step sets another kind of load.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Documents per second and worker; null in a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>How long the step lasted; shorter than asked for where the run ended in it.</summary>
    public required double Seconds { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public required long Operations { get; init; }

    /// <summary>Operations / <see cref="Seconds"/>; null when the step was not reached.</summary>
    public double? PerSecond { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>Latencies of operations.</summary>
    public required LatencySummary LatencyMs { get; init; }

    /// <summary>RU / operation; null without operations.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>RU / <see cref="Seconds"/>; null when the step was not reached.</summary>
    public double? RequestUnitsPerSecond { get; init; }

    /// <summary>Requests that the SDK sent / operation; null in bulk and without operations.</summary>
    public double? CallsPerOperation { get; init; }
}

/// <summary>What the operations of one kind did in a run with a mix, over all workers.</summary>
public sealed record KindReport
{
    public required WorkloadKind Kind { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public required long Operations { get; init; }

    /// <summary>Operations per second over the makespan; null without one.</summary>
    public double? PerSecond { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>Latencies of operations in the whole run, with the waits after 429s.</summary>
    public required LatencySummary LatencyMs { get; init; }

    /// <summary>RU / operation; null without operations.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>Adds up the kinds of all legs, in the order of their numbers.</summary>
    internal static IReadOnlyList<KindReport> From(IReadOnlyList<LegResult> legs, TimeSpan? makespan) =>
    [
        .. from sample in legs.SelectMany(leg => leg.Kinds)
           group sample by sample.Part into kind
           orderby kind.Key
           let all = PartSample.Merge(kind.Key, [.. kind])
           select new KindReport
           {
               Kind = (WorkloadKind)kind.Key,
               Operations = all.Operations,
               PerSecond = makespan is { TotalSeconds: > 0 and var seconds } ? Rounding.Ratio(all.Operations, seconds) : null,
               Counts = all.Counts.Rounded(),
               LatencyMs = LatencySummary.From(all.OperationLatency),
               RequestUnitsPerOperation = Rounding.Ratio(all.Counts.RequestUnits, all.Operations),
           },
    ];
}
