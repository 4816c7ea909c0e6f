namespace ScaleOut.Simulator.Protocol;

/// <summary>Reads the scope of a query, a read feed or a change feed.</summary>
internal static class ScopeReader
{
    /// <summary>The partition, partition key and positions that the request names.</summary>
    /// <exception cref="RequestException">400: malformed. 410: the partition does not hold the key.</exception>
    public static DocumentScope Read(AccountRequest request, ContainerResource container, PhysicalPartition? partition) =>
        ReadPositions(request, container, ReadKey(request, container, new DocumentScope { Partition = partition }));

    /// <summary>Limits the scope to the request's partition key, or to the first values of a hierarchical one.</summary>
    private static DocumentScope ReadKey(AccountRequest request, ContainerResource container, DocumentScope scope)
    {
        var json = request.Bytes(RequestField.PartitionKey);
        if (json.IsEmpty)
            return scope;
        var definition = container.Settings.PartitionKey;
        if (definition.IsHierarchical && HierarchicalKey.TryReadJson(definition, json.Span, out var prefix)
            && prefix.Count < definition.Paths.Count)
        {
            return scope with
            {
                Hierarchy = HierarchicalRange.From(prefix),
                Partition = scope.Partition ?? container.Map.Find(prefix.Position),
            };
        }

        if (!OperationPreparer.TryReadKey(definition, json, out var key))
            throw RequestException.BadRequest("Partition key is invalid: it must be a JSON array with one value.");
        if (request.Mode == ConnectionMode.Direct && container.Map.Find(key.Position) != scope.Partition)
            throw RequestException.Gone("The partition key range does not hold the partition key.", ServiceStatus.PartitionKeyRangeGone);
        return scope with { Key = key };
    }

    /// <summary>Limits the scope to the request's positions, unless they are the whole partition.</summary>
    private static DocumentScope ReadPositions(AccountRequest request, ContainerResource container, DocumentScope scope)
    {
        if (!request.Has(RequestField.StartPosition) && !request.Has(RequestField.EndPosition))
            return scope;
        // Direct clients leave out a start before the first position, whose text is empty.
        var start = request.Text(RequestField.StartPosition) ?? "";
        var end = request.Text(RequestField.EndPosition) ?? "FF";
        try
        {
            var first = EffectivePartitionKey.Parse(start);
            var last = EffectivePartitionKey.Parse(end);
            var partition = scope.Partition ?? container.Map.Find(first);
            var isWhole = first.Position <= partition.Range.Start.Position && last.Position >= partition.Range.End.Position;
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
