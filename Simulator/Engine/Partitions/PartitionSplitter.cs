using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>Makes two partitions of one. What is in the parent's ledger stays there; documents keep ids, ETags and their order.</summary>
internal static class PartitionSplitter
{
    /// <param name="container">The container.</param>
    /// <param name="parent">A partition that turns operations away already.</param>
    /// <param name="halves">The parent's range in two.</param>
    /// <param name="nextOrdinal">Ordinal of the first of the two.</param>
    /// <param name="revision">The table's revision that brings them.</param>
    public static (PhysicalPartition Low, PhysicalPartition High) Split(
        ContainerResource container, PhysicalPartition parent, (PartitionRange Low, PartitionRange High) halves, int nextOrdinal, int revision)
    {
        PhysicalPartition low = Child(halves.Low, nextOrdinal);
        PhysicalPartition high = Child(halves.High, nextOrdinal + 1);
        ScanCursor cursor = parent.Store.SeekAfter(0);
        while (parent.Store.TryNext(ref cursor, out long address))
        {
            ref DocumentRecord record = ref parent.Store.Record(address);
            ReadOnlySpan<byte> body = parent.Store.Body(address);
            DocumentFacts facts = default;
            container.Inspector.TryInspect(body.ToArray(), ref facts, out _);
            (facts.PartitionKey.Position.Position < halves.High.Start.Position ? low : high).Store.Adopt(in record, body);
        }

        return (low, high);

        PhysicalPartition Child(PartitionRange range, int ordinal) => new(ordinal, range, parent.Budget.Halve(), container.SecondsKept)
        {
            // Sessions that have seen the parent's writes have seen the children's.
            Lsn = parent.Lsn,
            Parents = [.. parent.Parents, parent.Id],
            Revision = revision,
        };
    }
}
