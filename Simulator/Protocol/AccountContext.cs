using Microsoft.Extensions.Logging;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Protocol;

/// <summary>What all connections of an account share.</summary>
internal sealed record AccountContext(AccountEngine Engine, byte[] Key, ILogger Logger)
{
    /// <summary>Set before any front end listens.</summary>
    public IReplicaAddresses Replicas { get; set; } = null!;

    /// <summary>The certificate of the HTTPS and Direct front ends, for clients that are to trust it.</summary>
    public string CertificatePem { get; set; } = "";
}

/// <summary>Where the replicas are that clients talk to without the gateway.</summary>
internal interface IReplicaAddresses
{
    /// <summary>Address of a replica of the partition that holds databases; replica 0 is the primary.</summary>
    string MasterAddress(int replica);

    /// <summary>Address of a replica of a container's partition; replica 0 is the primary.</summary>
    string Address(ContainerResource container, PhysicalPartition partition, int replica);
}
