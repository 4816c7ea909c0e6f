using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Where the replicas are that clients talk to without the gateway.</summary>
internal interface IReplicaAddresses
{
    /// <summary>Address of a replica of the partition that holds databases; replica 0 is the primary.</summary>
    string MasterAddress(int replica);

    /// <summary>Address of a replica of a container's partition; replica 0 is the primary.</summary>
    string Address(ContainerResource container, PhysicalPartition partition, int replica);
}
