namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>How many physical partitions a new container gets, and whether they burst.</summary>
/// <param name="Clock">The clock of the simulated account.</param>
/// <param name="PhysicalPartitions">Number for every container; null means <see cref="SimulationSpec.DefaultPartitionsFor"/>.</param>
internal sealed record PartitionLayout(AccountClock Clock, int? PhysicalPartitions, bool Burst, RetryAfter RetryAfter)
{
    /// <summary>How long it takes to split partitions for a raised throughput.</summary>
    public TimeSpan SplitDelay { get; init; }

    /// <inheritdoc cref="SimulationSpec.BurstBank"/>
    public double BurstBank { get; init; }

    public StorageLimits Storage { get; init; } = new(Factor: 1);

    /// <param name="throughput">RU/s; with autoscale the maximum.</param>
    /// <param name="dense">With autoscale, or if the database's containers share it.</param>
    public int CountFor(int throughput, bool dense) => PhysicalPartitions ?? SimulationSpec.DefaultPartitionsFor(throughput, dense);

    /// <summary>Smallest number of partitions after a raise of the throughput; 1 if their number is set.</summary>
    public int FewestFor(int throughput) => PhysicalPartitions is null ? SimulationSpec.DefaultPartitionsFor(throughput, dense: true) : 1;

    /// <param name="sharing">Null unless several partitions share it.</param>
    public RequestUnitBudget CreateBudget(double unitsPerSecond, Lock? sharing = null) =>
        new(unitsPerSecond, Burst, Clock.NowTicks, RetryAfter, sharing, BurstBank);

    /// <summary>
    /// RU/s of each partition. While the throughput needs more partitions, the share is capped at the maximum of one partition.
    /// </summary>
    public double ShareOf(int throughput, int partitions)
    {
        var share = (double)throughput / partitions;
        return partitions < FewestFor(throughput) ? Math.Min(share, SimulationSpec.MaxRequestUnitsPerPartition) : share;
    }
}
