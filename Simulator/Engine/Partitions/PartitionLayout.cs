using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>How many physical partitions a new container gets, and whether they burst.</summary>
/// <param name="PhysicalPartitions">For every container; null means <see cref="SimulationSpec.DefaultPartitionsFor"/>.</param>
/// <param name="Burst">See <see cref="RequestUnitBudget"/>.</param>
internal sealed record PartitionLayout(int? PhysicalPartitions, bool Burst)
{
    public int CountFor(int throughput) => PhysicalPartitions ?? SimulationSpec.DefaultPartitionsFor(throughput);
}
