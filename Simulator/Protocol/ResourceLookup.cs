namespace ScaleOut.Simulator.Protocol;

/// <summary>Finds the resources of one connection's requests. It remembers the last few containers.</summary>
internal sealed class ResourceLookup(ResourceCatalog catalog)
{
    private const int MaxKnown = 8;

    private readonly List<(byte[] Database, byte[] Name, ContainerResource Container)> _known = [];

    /// <param name="asOwner">Whether the request is for something in the database.</param>
    /// <exception cref="RequestException">404, or 400 for a request without a database.</exception>
    public DatabaseResource FindDatabase(AccountRequest request, bool asOwner)
    {
        var name = request.Text(RequestField.Database) ?? throw RequestException.BadRequest("The request names no database.");
        return catalog.Find(name) ?? throw RequestException.NotFound(asOwner ? ServiceStatus.OwnerNotFound : 0);
    }

    /// <param name="asOwner">
    /// Whether the request is for something in the container. Over Gateway, the error is the same as for the container itself.
    /// </param>
    /// <exception cref="RequestException">404; 400 or 410 if the client expects an older container of the same name.</exception>
    public ContainerResource FindContainer(AccountRequest request, bool asOwner)
    {
        var container = Find(request.Bytes(RequestField.Database).Span, request.Bytes(RequestField.Container).Span)
            ?? throw RequestException.NotFound(
                (asOwner && request.Mode == ConnectionMode.Direct) || catalog.Find(request.Text(RequestField.Database) ?? "") is null
                    ? ServiceStatus.OwnerNotFound : 0);
        if (asOwner && !IsMeant(RequestField.ContainerRid))
            throw RequestException.Gone("The container has been created again since the client read it.", ServiceStatus.NameCacheIsStale);
        return !asOwner || IsMeant(RequestField.IntendedContainerRid) ? container : throw RequestException.BadRequest(
            "Collection rid does not match the one the client intended.", ServiceStatus.ContainerRecreated);

        bool IsMeant(RequestField rid) => !request.Has(rid) || Ascii.Equals(request.Bytes(rid).Span, container.Rid);
    }

    /// <summary>
    /// The partition that the client addressed: over Direct by its replica, over HTTP by the range of a query or a bulk request. Null if
    /// the gateway must find it.
    /// </summary>
    /// <exception cref="RequestException">410: the client's ranges are outdated; 400: the path is not a replica's.</exception>
    public static PhysicalPartition? FindPartition(AccountRequest request, ContainerResource container)
    {
        if (request.Mode == ConnectionMode.Gateway)
        {
            var mayNameRange = request.Operation is OperationType.Query or OperationType.ReadFeed
                || (request.Operation == OperationType.Batch && !request.Has(RequestField.BatchAtomic));
            if (!mayNameRange || request.Text(RequestField.PartitionKeyRangeId) is not { } range)
                return null;
            // Older clients wrote the container's id in front.
            return container.Map.FindRange(range.AsSpan(range.IndexOf(',') + 1))
                ?? throw RequestException.RangeGone(ServiceStatus.PartitionKeyRangeGone);
        }

        if (!ReplicaPath.TryParse(request.Bytes(RequestField.ReplicaPath).Span, out var replica)
            || replica.Partition == ReplicaPath.Master)
            throw RequestException.BadRequest("The replica path is not that of a replica of a document partition.");
        var partition = container.Map.FindRange(replica.Partition) ?? throw RequestException.RangeGone(
            request.Has(RequestField.PartitionKeyRangeId) ? ServiceStatus.PartitionKeyRangeGone : ServiceStatus.CompletingSplit);
        if (request.IsWrite && !replica.IsPrimary)
            throw RequestException.Gone("The replica is not the primary. Only the primary accepts writes.", 0);
        return partition;
    }

    private ContainerResource? Find(ReadOnlySpan<byte> database, ReadOnlySpan<byte> name)
    {
        foreach ((var knownDatabase, var knownName, var known) in _known)
        {
            if (!known.IsDeleted && name.SequenceEqual(knownName) && database.SequenceEqual(knownDatabase))
                return known;
        }

        if (catalog.Find(Encoding.UTF8.GetString(database))?.Find(Encoding.UTF8.GetString(name)) is not { } container)
            return null;
        _known.RemoveAll(one => one.Container.IsDeleted);
        if (_known.Count == MaxKnown)
            _known.RemoveAt(0);
        _known.Add((database.ToArray(), name.ToArray(), container));
        return container;
    }
}
