using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Which of a container's documents a request is for.</summary>
internal sealed record DocumentScope
{
    public static DocumentScope All { get; } = new();

    /// <summary>The physical partition that the client named or its limits lead to; null when there is none.</summary>
    public PhysicalPartition? Partition { get; init; }

    /// <summary>The only partition key.</summary>
    public PartitionKeyIdentity? Key { get; init; }

    /// <summary>The only positions, when the client asks for less than whole partitions.</summary>
    public (EffectivePartitionKey Start, EffectivePartitionKey End)? Positions { get; init; }

    /// <summary>The only hierarchical keys, when the client asks for less than whole partitions.</summary>
    public HierarchicalRange? Hierarchy { get; init; }

    /// <summary>Whether every document of a partition is in it.</summary>
    public bool IsWhole => Key is null && Positions is null && Hierarchy is null;

    /// <summary>Whether a document of its partition is in it.</summary>
    public bool Holds(ContainerResource container, in DocumentRecord record, ReadOnlySpan<byte> body) =>
        (Key is not { } key || record.Key.PartitionKeyHash == key.Hash)
        && (Positions is not { } positions || IsWithin(positions, container, body))
        && Hierarchy?.Holds(container.Settings.PartitionKey, body) != false;

    private static bool IsWithin(
        (EffectivePartitionKey Start, EffectivePartitionKey End) positions, ContainerResource container, ReadOnlySpan<byte> body)
    {
        DocumentFacts facts = default;
        return container.Inspector.TryInspect(body.ToArray(), ref facts, out _)
            && facts.PartitionKey.Position.Position >= positions.Start.Position
            && facts.PartitionKey.Position.Position < positions.End.Position;
    }
}
