using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Reads which documents a query, a read feed or a change feed is for, and how many of them a page may have.</summary>
internal static class ScopeReader
{
    private const int DefaultPage = 100;
    private const int LargestPage = 1_000;

    /// <summary>Results of a page: 100 unless the client says otherwise, at most 1,000.</summary>
    public static int PageSize(AccountRequest request) =>
        request.PageSize switch { 0 => DefaultPage, < 0 => LargestPage, _ => Math.Min(request.PageSize, LargestPage) };

    /// <summary>The partition, partition key and positions that the request names.</summary>
    /// <exception cref="RequestException">400: malformed. 410: the partition does not hold the key.</exception>
    public static DocumentScope Read(AccountRequest request, ContainerResource container, PhysicalPartition? partition) =>
        ReadPositions(request, container, ReadKey(request, container, new DocumentScope { Partition = partition }));

    /// <summary>What the partition key of the request, or the first values of a hierarchical one, limit the scope to.</summary>
    private static DocumentScope ReadKey(AccountRequest request, ContainerResource container, DocumentScope scope)
    {
        ReadOnlyMemory<byte> json = request.Bytes(RequestField.PartitionKey);
        if (json.IsEmpty)
            return scope;
        PartitionKeyDefinition definition = container.Settings.PartitionKey;
        if (definition.IsHierarchical && HierarchicalKey.TryReadJson(definition, json.Span, out HierarchicalKey prefix)
            && prefix.Count < definition.Paths.Count)
        {
            return scope with
            {
                Hierarchy = HierarchicalRange.From(prefix), Partition = scope.Partition ?? container.Map.Find(prefix.Position),
            };
        }

        if (!OperationPreparer.TryReadKey(definition, json, out PartitionKeyIdentity key))
            throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
        if (request.Mode == ConnectionMode.Direct && container.Map.Find(key.Position) != scope.Partition)
            throw RequestException.Gone("The partition key range does not hold the partition key.", ServiceStatus.PartitionKeyRangeGone);
        return scope with { Key = key };
    }

    /// <summary>The positions that the client asks for, unless they hold the whole partition anyway.</summary>
    private static DocumentScope ReadPositions(AccountRequest request, ContainerResource container, DocumentScope scope)
    {
        if (!request.Has(RequestField.StartPosition) && !request.Has(RequestField.EndPosition))
            return scope;
        // Direct clients leave out a start before the first position, whose text is empty.
        string start = request.Text(RequestField.StartPosition) ?? "";
        string end = request.Text(RequestField.EndPosition) ?? "FF";
        try
        {
            EffectivePartitionKey first = EffectivePartitionKey.Parse(start);
            EffectivePartitionKey last = EffectivePartitionKey.Parse(end);
            PhysicalPartition partition = scope.Partition ?? container.Map.Find(first);
            bool isWhole = first.Position <= partition.Range.Start.Position && last.Position >= partition.Range.End.Position;
            scope = scope with { Partition = partition };
            return container.Settings.PartitionKey.IsHierarchical ? scope with { Hierarchy = new HierarchicalRange(start, end) }
                : isWhole ? scope
                : scope with { Positions = (first, last) };
        }
        catch (FormatException e)
        {
            throw RequestException.BadRequest(e.Message);
        }
    }
}
