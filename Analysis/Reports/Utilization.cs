namespace ScaleOut.Analysis.Reports;

/// <summary>
/// How much of each limit a run used over the seconds that <see cref="RunReport.BoundBy"/> rests on; shares are 0 to 1, null if it is
/// not known.
/// </summary>
public sealed record Utilization
{
    /// <summary>Mean RU/s / the container's budget, with what it could give of its burst credit.</summary>
    public double? RequestUnits { get; init; }

    /// <summary>
    /// Share of seconds in which a partition used at least <see cref="Building.BoundByRule.PartitionShare"/> of its budget. Of the
    /// partitions that got at least 1.1 times the mean of the others, the one with the largest share counts. Null if none stands out.
    /// </summary>
    public double? PartitionSecondsAtLimit { get; init; }

    /// <summary>Mean RU/s of a partition / its budget; of the partitions that stand out as above, the largest. Null if none does.</summary>
    public double? PartitionRequestUnits { get; init; }

    /// <summary>
    /// 429s of one partition / attempts of the whole run. The partition stands out as above and has more than half of the run's 429s. Null
    /// if there is none.
    /// </summary>
    public double? PartitionThrottledShare { get; init; }

    /// <summary>Attempts that got a 429 / attempts of the whole run; null without attempts, and of tables.</summary>
    public double? ThrottledAttempts { get; init; }

    /// <summary>Whether 429s held the run back although its RU/s were not used up.</summary>
    [JsonIgnore]
    public bool CameInBursts => ThrottledAttempts >= BoundByRule.ThrottledShare && !(RequestUnits >= BoundByRule.RequestUnitShare);

    /// <summary>
    /// Share of seconds with at least as many errors as successes. If errors followed the last success, all seconds after it count.
    /// </summary>
    public double? ErrorSeconds { get; init; }

    /// <summary>CPU time of the busiest worker's process / (time x its cores).</summary>
    public double? Client { get; init; }

    /// <summary>Largest share that any worker used of its cores in one second.</summary>
    public double? ClientMax { get; init; }

    /// <summary>Busy share of all cores of the busiest machine, including other programs.</summary>
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

    /// <summary>Mean RU/s / the RU/s that the workload permits all workers together; null if it sets no limit.</summary>
    public double? PermittedRequestUnits { get; init; }

    /// <summary>
    /// Whether every worker was an open loop that kept its schedule, or all of them used nearly all of the RU/s that the workload limits
    /// them to; null without either.
    /// </summary>
    public bool? KeptSchedule { get; init; }
}
