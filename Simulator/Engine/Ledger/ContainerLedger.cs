namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>What one container did, deleted ones included as long as <see cref="AccountLedger.Containers"/> keeps them.</summary>
public sealed record ContainerLedger
{
    public required string Database { get; init; }

    public required string Name { get; init; }

    /// <summary>Tells a container from another of the same name that came before or after it.</summary>
    public required string ResourceId { get; init; }

    public required bool Deleted { get; init; }

    /// <summary>Provisioned RU/s; with autoscale the maximum.</summary>
    public required int Throughput { get; init; }

    /// <summary>Documents it holds now; of a deleted container, when it was deleted.</summary>
    public required long DocumentCount { get; init; }

    public required DocumentLedger Documents { get; init; }

    public required OperationLedger Operations { get; init; }

    public required IReadOnlyList<PartitionLedger> Partitions { get; init; }
}
