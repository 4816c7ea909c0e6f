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
            return container.FindRange(range.AsSpan(range.IndexOf(',') + 1))
                ?? throw RequestException.RangeGone(ServiceStatus.PartitionKeyRangeGone);
        }

        if (!ReplicaPath.TryParse(request.Bytes(RequestField.ReplicaPath).Span, out var replica)
            || replica.Partition == ReplicaPath.Master)
            throw RequestException.BadRequest("The replica path names no replica of a document partition.");
        var partition = container.FindRange(replica.Partition) ?? throw RequestException.RangeGone(
            request.Has(RequestField.PartitionKeyRangeId) ? ServiceStatus.PartitionKeyRangeGone : ServiceStatus.CompletingSplit);
        if (request.IsWrite && !replica.IsPrimary)
            throw RequestException.Gone("The replica is not the primary, which alone takes writes.", 0);
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

/// <summary>Reads the scope and the page size of a query, a read feed or a change feed.</summary>
internal static class ScopeReader
{
    private const int DefaultPage = 100;
    private const int MaxPage = 1_000;

    public static int PageSize(AccountRequest request) =>
        request.PageSize switch { 0 => DefaultPage, < 0 => MaxPage, _ => Math.Min(request.PageSize, MaxPage) };

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
                Hierarchy = HierarchicalRange.From(prefix), Partition = scope.Partition ?? container.Map.Find(prefix.Position),
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

/// <summary>A partition's replicas as clients see them. All share one store, so each has every write at once.</summary>
internal static class ReplicaSet
{
    /// <summary>Replicas of a partition. With fewer published addresses than that, clients would keep asking for addresses.</summary>
    public const int Size = 4;

    public const int WriteQuorum = 3;

    /// <summary>Position of the partition of databases. It is always the same, so that replicas agree.</summary>
    public const long MasterLsn = 1;
}

/// <summary>The path of a replica's address, which clients send with every request: the partition and replica that they mean.</summary>
/// <param name="Partition">Ordinal of the physical partition; <see cref="Master"/> for the partition of databases.</param>
internal readonly record struct ReplicaPath(int Partition, bool IsPrimary)
{
    public const int Master = -1;

    private const string MasterName = "master";

    /// <summary>Address of a replica; the first is the primary.</summary>
    public static string Address(int port, uint container, int partition, int replica)
    {
        var name = partition == Master ? MasterName : partition.ToString(CultureInfo.InvariantCulture);
        var role = replica == 0 ? 'p' : 's';
        return string.Create(
            CultureInfo.InvariantCulture,
            $"rntbd://127.0.0.1:{port}/apps/simulated/services/{container:x8}/partitions/{name}/replicas/{replica}{role}/");
    }

    /// <summary>Reads a request's path. False for a path that <see cref="Address"/> does not make.</summary>
    public static bool TryParse(ReadOnlySpan<byte> path, out ReplicaPath replica)
    {
        replica = default;
        var at = path.IndexOf("partitions/"u8);
        if (at < 0)
            return false;
        path = path[(at + "partitions/"u8.Length)..];
        var end = path.IndexOf((byte)'/');
        if (end <= 0)
            return false;
        var partition = Master;
        if (!path[..end].SequenceEqual("master"u8)
            && !(Utf8Parser.TryParse(path[..end], out partition, out var used) && used == end && partition >= 0))
            return false;
        path = path[end..].TrimEnd((byte)'/');
        replica = new ReplicaPath(partition, path.EndsWith("p"u8));
        return path.StartsWith("/replicas/"u8);
    }
}
