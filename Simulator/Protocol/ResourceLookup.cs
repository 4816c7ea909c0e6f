using System.Text;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Finds what one connection's requests name, or ends them with the service's status. It remembers the last few containers.
/// </summary>
internal sealed class ResourceLookup(ResourceCatalog catalog)
{
    private const int Kept = 8;

    private readonly List<(byte[] Database, byte[] Name, ContainerResource Container)> _known = [];

    /// <param name="request">The request.</param>
    /// <param name="asOwner">Whether the request is for something in the database.</param>
    /// <exception cref="RequestException">404, or 400 for a request without a database.</exception>
    public DatabaseResource FindDatabase(AccountRequest request, bool asOwner)
    {
        string name = request.Text(RequestField.Database) ?? throw RequestException.BadRequest("The request names no database.");
        return catalog.Find(name) ?? throw RequestException.NotFound(asOwner ? ServiceStatus.OwnerNotFound : 0);
    }

    /// <param name="request">The request.</param>
    /// <param name="asOwner">
    /// Whether the request is for something in the container. The gateway says the same as to a request for the container itself.
    /// </param>
    /// <exception cref="RequestException">404, or 400 or 410 for a client that means an older container of the same name.</exception>
    public ContainerResource FindContainer(AccountRequest request, bool asOwner)
    {
        ContainerResource container = Find(request.Bytes(RequestField.Database).Span, request.Bytes(RequestField.Container).Span)
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
    /// The partition that the client addressed: over Direct by its replica, over HTTP by the range that a query or a bulk request is for.
    /// Null when the client leaves it to the gateway to find the partition.
    /// </summary>
    /// <exception cref="RequestException">410 for a client whose ranges are out of date, 400 for a path that is none of a
    /// replica.</exception>
    public static PhysicalPartition? FindPartition(AccountRequest request, ContainerResource container)
    {
        if (request.Mode == ConnectionMode.Gateway)
        {
            bool mayNameRange = request.Operation is OperationType.Query or OperationType.ReadFeed
                || (request.Operation == OperationType.Batch && !request.Has(RequestField.BatchAtomic));
            if (!mayNameRange || request.Text(RequestField.PartitionKeyRangeId) is not { } range)
                return null;
            // Older clients write the container's id in front.
            return container.FindRange(range.AsSpan(range.IndexOf(',') + 1))
                ?? throw RequestException.RangeGone(ServiceStatus.PartitionKeyRangeGone);
        }

        if (!ReplicaPath.TryParse(request.Bytes(RequestField.ReplicaPath).Span, out ReplicaPath replica)
            || replica.Partition == ReplicaPath.Master)
            throw RequestException.BadRequest("The replica path names no replica of a document partition.");
        PhysicalPartition partition = container.FindRange(replica.Partition) ?? throw RequestException.RangeGone(
            request.Has(RequestField.PartitionKeyRangeId) ? ServiceStatus.PartitionKeyRangeGone : ServiceStatus.CompletingSplit);
        if (request.IsWrite && !replica.IsPrimary)
            throw RequestException.Gone("The replica is not the primary, which alone takes writes.", 0);
        return partition;
    }

    private ContainerResource? Find(ReadOnlySpan<byte> database, ReadOnlySpan<byte> name)
    {
        foreach ((byte[] knownDatabase, byte[] knownName, ContainerResource known) in _known)
        {
            if (!known.IsDeleted && name.SequenceEqual(knownName) && database.SequenceEqual(knownDatabase))
                return known;
        }

        if (catalog.Find(Encoding.UTF8.GetString(database))?.Find(Encoding.UTF8.GetString(name)) is not { } container)
            return null;
        _known.RemoveAll(one => one.Container.IsDeleted);
        if (_known.Count == Kept)
            _known.RemoveAt(0);
        _known.Add((database.ToArray(), name.ToArray(), container));
        return container;
    }
}
