namespace ScaleOut.Analysis.Reports;

/// <summary>What went to one physical partition, attributed by the hash of each document's partition key.</summary>
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
    /// Of the partition that was at its limit most often, among those that got at least 1.1 times the mean of the others: the share of
    /// seconds in which it used at least <see cref="Building.BoundByRule.PartitionShare"/> of its budget. Null if none stands out.
    /// </summary>
    public double? PartitionSecondsAtLimit { get; init; }

    /// <summary>Of the busiest worker: CPU time of its process / (time x its cores).</summary>
    public double? Client { get; init; }

    /// <summary>Of the worker that was busiest in any one second: its share in that second.</summary>
    public double? ClientMax { get; init; }

    /// <summary>Of the busiest machine: busy share of all its cores, whoever used them.</summary>
    public double? Machine { get; init; }

    /// <summary>The machine's share in its busiest second.</summary>
    public double? MachineMax { get; init; }

    /// <summary>
    /// Of <see cref="Machine"/>: what the run's worker processes on it used. Null if the machine does not report its cores.
    /// </summary>
    public double? MachineByWorkers { get; init; }

    /// <summary>Of <see cref="Machine"/>: what the simulated account's process used; null if that was not measured.</summary>
    public double? MachineByAccount { get; init; }

    /// <summary>
    /// Of <see cref="Machine"/>: the rest, so what other programs and the operating system used. Null if either of the two is not known.
    /// </summary>
    public double? MachineByOthers { get; init; }

    /// <summary>
    /// Whether every worker was an open loop that kept its schedule, or all of them used nearly all of the RU/s that the workload limits
    /// them to; null without either.
    /// </summary>
    public bool? KeptSchedule { get; init; }
}
