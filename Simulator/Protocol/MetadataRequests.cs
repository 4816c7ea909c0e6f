namespace ScaleOut.Simulator.Protocol;

/// <summary>Requests for the account, databases, containers, offers, ranges, and replicas' addresses.</summary>
internal static class MetadataRequests
{
    public static void Respond(Exchange exchange, AccountContext account, ResourceLookup lookup)
    {
        var catalog = account.Engine.Catalog;
        switch (exchange.Request.Resource)
        {
            case ResourceType.Account when exchange.Request is { Operation: OperationType.Read, Endpoint: { } endpoint }:
                exchange.Response.SetJson(ServiceStatus.Ok, ResourceJson.FromAccount(endpoint, account.Engine.Consistency.ToString()));
                break;
            case ResourceType.Database:
                RespondDatabase(exchange, catalog, lookup);
                break;
            case ResourceType.Container:
                RespondContainer(exchange, catalog, lookup);
                break;
            case ResourceType.Offer:
                RespondOffer(exchange, catalog);
                break;
            case ResourceType.PartitionKeyRange when exchange.Request.Operation == OperationType.ReadFeed:
                RespondRanges(exchange, lookup.FindContainer(exchange.Request, asOwner: true));
                break;
            case ResourceType.Address when exchange.Request.Operation == OperationType.ReadFeed:
                RespondAddresses(exchange, account.Replicas, lookup);
                break;
            default:
                throw RequestException.MethodNotAllowed();
        }
    }

    private static void RespondDatabase(Exchange exchange, ResourceCatalog catalog, ResourceLookup lookup)
    {
        var request = exchange.Request;
        switch (request.Operation)
        {
            case OperationType.HeadFeed:
                exchange.Response.Charge = RequestCharges.MetadataRead;
                exchange.Response.Status = ServiceStatus.Ok;
                break;
            case OperationType.ReadFeed or OperationType.Query:
                RespondFeed(exchange, "", "Databases", catalog.Databases.Select(one => (one.Order, ResourceJson.From(one))));
                break;
            case OperationType.Create:
                RespondOne(ServiceStatus.Created, catalog.CreateDatabase(
                    RequestException.ReadJson(request.Body, ResourceCatalog.InvalidPayload, ResourceCatalog.ReadName),
                    HasOffer(request) ? ReadOffer(request, catalog) : null));
                break;
            case OperationType.Read:
                RespondOne(ServiceStatus.Ok, lookup.FindDatabase(request, asOwner: false));
                break;
            case OperationType.Delete:
                catalog.DeleteDatabase(lookup.FindDatabase(request, asOwner: false));
                RespondDeleted(exchange);
                break;
            default:
                throw RequestException.MethodNotAllowed();
        }

        void RespondOne(int status, DatabaseResource database) =>
            MetadataRequests.RespondOne(exchange, status, ResourceJson.EtagOf(database), ResourceJson.From(database));
    }

    private static void RespondContainer(Exchange exchange, ResourceCatalog catalog, ResourceLookup lookup)
    {
        var request = exchange.Request;
        switch (request.Operation)
        {
            case OperationType.Head:
                exchange.Response.Container = lookup.FindContainer(request, asOwner: true);
                exchange.Response.Partition = ResourceLookup.FindPartition(request, exchange.Response.Container);
                exchange.Response.Status = ServiceStatus.Ok;
                break;
            case OperationType.ReadFeed or OperationType.Query:
                var owner = lookup.FindDatabase(request, asOwner: true);
                RespondFeed(
                    exchange, owner.Rid, "DocumentCollections",
                    owner.ContainersInOrder.Select(one => (one.Order, ResourceJson.From(one))));
                break;
            case OperationType.Create:
                var database = lookup.FindDatabase(request, asOwner: true);
                var offer = HasOffer(request) || database.Shared is null ? ReadOffer(request, catalog) : null;
                var settings = ContainerSettings.Parse(request.Body, isShared: offer is null);
                CheckVersion(request, settings.PartitionKey);
                RespondOne(ServiceStatus.Created, catalog.CreateContainer(database, settings, offer));
                break;
            case OperationType.Read:
                RespondOne(ServiceStatus.Ok, lookup.FindContainer(request, asOwner: false));
                break;
            case OperationType.Replace:
                var replaced = lookup.FindContainer(request, asOwner: false);
                replaced.Replace(ContainerSettings.Parse(request.Body));
                RespondOne(ServiceStatus.Ok, replaced);
                break;
            case OperationType.Delete:
                catalog.DeleteContainer(lookup.FindContainer(request, asOwner: false));
                RespondDeleted(exchange);
                break;
            default:
                throw RequestException.MethodNotAllowed();
        }

        void RespondOne(int status, ContainerResource container)
        {
            (exchange.Response.Container, exchange.Response.IsAboutContainer) = (container, true);
            AddHeaders(request, exchange.Response.MetadataHeaders, container);
            MetadataRequests.RespondOne(exchange, status, ResourceJson.EtagOf(container), ResourceJson.From(container));
        }
    }

    /// <exception cref="RequestException">400: the client's version of the protocol has no hierarchical keys.</exception>
    private static void CheckVersion(AccountRequest request, PartitionKeyDefinition key)
    {
        const string firstWithHierarchy = "2020-07-15";
        var version = request.Text(RequestField.ApiVersion) ?? firstWithHierarchy;
        if (key.IsHierarchical && string.CompareOrdinal(version, firstWithHierarchy) < 0)
        {
            throw RequestException.BadRequest(
                "The 'kind' value 'MultiHash' specified in the partition key definition is invalid. Please choose 'Hash' partition type.");
        }
    }

    /// <summary>Adds whether the container shares its database's throughput and, if asked for, the container's quota and usage.</summary>
    private static void AddHeaders(AccountRequest request, List<(string Name, string Value)> headers, ContainerResource container)
    {
        headers.Add(("x-ms-share-throughput", container.OwnOffer is null ? "True" : "False"));
        if (!request.Has(RequestField.QuotaInfo))
            return;
        // Documents are indexed at once, so nothing is ever left to transform.
        headers.Add(("x-ms-documentdb-collection-index-transformation-progress", "100"));
        headers.Add((ResponseFields.Quota.Header, "documentsSize=-1;documentsCount=-1;collectionSize=-1;"));
        var documents = container.Map.Live.Sum(partition => (long)partition.Store.Count);
        var bytes = container.Map.Live.Sum(partition => partition.StoredBytes);
        headers.Add((ResponseFields.Usage.Header, container.Storage.Usage(documents, bytes)));
    }

    private static bool HasOffer(AccountRequest request) =>
        request.Has(RequestField.OfferThroughput) || request.Has(RequestField.OfferAutopilot);

    private static Offer ReadOffer(AccountRequest request, ResourceCatalog catalog) => Offer.FromHeaders(
        request.Text(RequestField.OfferThroughput), request.Text(RequestField.OfferAutopilot), catalog.DefaultThroughput);

    /// <summary>Serves the throughput of containers and databases. Replacing it rescales at once.</summary>
    private static void RespondOffer(Exchange exchange, ResourceCatalog catalog)
    {
        var request = exchange.Request;
        switch (request.Operation)
        {
            case OperationType.ReadFeed or OperationType.Query:
                RespondFeed(exchange, "", "Offers", catalog.OfferOwners.Select(one => (one.Order, ResourceJson.FromOffer(one))));
                return;
            case OperationType.Read or OperationType.Replace:
                var rid = request.Text(RequestField.Document)!;
                if (!RidEncoding.IsOffer(rid))
                    throw RequestException.BadRequest($"'{rid}' is not the resource id of an offer.");
                var owner = catalog.OfferOwners.FirstOrDefault(one => one.OfferRid == rid)
                    ?? throw RequestException.NotFound();
                if (request.Operation == OperationType.Replace)
                    owner.Rescale(Replacement(request, rid, owner));
                var min = owner.OwnOffer!.MinThroughputFor(owner.StoredGigabytes);
                exchange.Response.MetadataHeaders.Add(("x-ms-offer-replace-pending", owner.IsReplacePending ? "true" : "false"));
                exchange.Response.MetadataHeaders.Add(("x-ms-cosmos-min-throughput", min.ToString(CultureInfo.InvariantCulture)));
                RespondOne(exchange, ServiceStatus.Ok, ResourceJson.OfferEtagOf(owner), ResourceJson.FromOffer(owner));
                return;
            default:
                throw RequestException.MethodNotAllowed();
        }
    }

    /// <exception cref="RequestException">400: not allowed; 423: the last change is not done yet.</exception>
    private static Offer Replacement(AccountRequest request, string rid, IOfferOwner owner)
    {
        var former = owner.OwnOffer!;
        if (owner.IsReplacePending)
        {
            throw new RequestException(
                ServiceStatus.Locked, "The last change of the throughput is not done yet: x-ms-offer-replace-pending is true until then.");
        }

        if (request.Has(RequestField.MigrateToAutoscale) || request.Has(RequestField.MigrateToFixed))
            return former.Migrated(request.Has(RequestField.MigrateToAutoscale), owner.StoredGigabytes);
        return Offer.Parse(request.Body, rid).Replacing(former, owner.StoredGigabytes);
    }

    /// <summary>Lists the ranges that clients route by. A client that knows the feed gets what splits have added since.</summary>
    private static void RespondRanges(Exchange exchange, ContainerResource container)
    {
        var response = exchange.Response;
        var map = container.Map;
        response.Container = container;
        response.Etag = $"\"{container.Rid}:{map.Revision}\"";
        var known = KnownRevision(exchange.Request.Text(RequestField.IfNoneMatch), container);
        if (known == map.Revision)
        {
            response.Status = ServiceStatus.NotModified;
            return;
        }

        response.ItemCount = WriteFeed(
            exchange, container.Rid, "PartitionKeyRanges", map.Live.Where(partition => partition.Revision > known).Select(Shape));

        byte[] Shape(PhysicalPartition partition) =>
            ResourceJson.ToBytes(ResourceJson.From(container, partition, map.Live.Count));
    }

    /// <summary>The revision of the client's ETag; -1 for none, or for another container's.</summary>
    private static int KnownRevision(string? etag, ContainerResource container)
    {
        var text = etag.AsSpan().Trim('"');
        var cut = text.IndexOf(':');
        return cut > 0 && text[..cut].SequenceEqual(container.Rid)
            && int.TryParse(text[(cut + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var revision) ? revision : -1;
    }

    /// <summary>
    /// Lists replicas' addresses: of the given ranges, of all ranges, or without a container, of the partition of databases.
    /// </summary>
    private static void RespondAddresses(Exchange exchange, IReplicaAddresses replicas, ResourceLookup lookup)
    {
        var request = exchange.Request;
        exchange.Response.Charge = RequestCharges.MetadataRead;
        IEnumerable<object> addresses = [];
        if (!request.Has(RequestField.Container))
        {
            addresses = Replicas("M", replicas.MasterAddress);
        }
        else
        {
            var container = lookup.FindContainer(request, asOwner: true);
            var ids = request.Text(RequestField.PartitionKeyRangeId)?.Split(',', StringSplitOptions.RemoveEmptyEntries) ?? [];
            // Gone ranges are left out, which shows clients that their ranges are outdated.
            var partitions = ids.Length == 0
                ? container.Map.Live
                : ids.Select(id => container.Map.FindRange(id)).OfType<PhysicalPartition>();
            addresses = partitions.SelectMany(
                partition => Replicas(partition.Id, replica => replicas.Address(container, partition, replica)));
        }

        WriteFeed(exchange, "", "Addresss", addresses.Select(address => ResourceJson.ToBytes(address)));

        static IEnumerable<object> Replicas(string range, Func<int, string> address) =>
            Enumerable.Range(0, ReplicaSet.Size).Select(replica => ResourceJson.FromAddress(replica, address(replica), range));
    }

    /// <summary>Lists a page of resources, or of a query's results. The continuation is the number of the page's last resource.</summary>
    /// <param name="property">The name of the list.</param>
    /// <param name="resources">In their order, each with its number, which is never reused.</param>
    public static void RespondFeed(
        Exchange exchange, string rid, string property, IEnumerable<(long Order, object Resource)> resources)
    {
        var query = exchange.Request.Operation == OperationType.Query
            ? QueryParser.ParseRequest(exchange.Request.QueryBody)
            : ParsedQuery.Everything;
        if (!query.IsPlain || query.Syntax.IteratesRows)
            throw RequestException.Rejected("Only queries of SELECT, FROM of whole resources and WHERE are simulated here.");
        long after = 0;
        if (exchange.Request.Text(RequestField.Continuation) is { Length: > 0 } token
            && !long.TryParse(token, NumberStyles.None, CultureInfo.InvariantCulture, out after))
            throw RequestException.OfGateway("Invalid Continuation Token");
        var size = PageSize.From(exchange.Request);
        (long Number, byte[]? Json)[] found =
        [
            .. resources.Where(one => one.Order > after)
                .Select(one => (one.Order, Json: query.Select(ResourceJson.ToBytes(one.Resource))))
                .Where(one => one.Json is not null)
                .Take(size + 1),
        ];
        if (found.Length > size)
            exchange.Response.Continuation = found[size - 1].Number.ToString(CultureInfo.InvariantCulture);
        exchange.Response.Charge = RequestCharges.MetadataRead;
        exchange.Response.ItemCount = WriteFeed(exchange, rid, property, found.Take(size).Select(one => one.Json!));
    }

    private static int WriteFeed(Exchange exchange, string rid, string property, IEnumerable<byte[]> resources)
    {
        var count = 0;
        using var writer = new Utf8JsonWriter(exchange.Response.Output);
        writer.WriteStartObject();
        writer.WriteString("_rid", rid);
        writer.WriteStartArray(property);
        foreach (var resource in resources)
        {
            count++;
            writer.WriteRawValue(resource);
        }

        writer.WriteEndArray();
        writer.WriteNumber("_count", count);
        writer.WriteEndObject();
        exchange.Response.Status = ServiceStatus.Ok;
        return count;
    }

    public static void RespondOne(Exchange exchange, int status, string etag, object resource)
    {
        exchange.Response.Charge = exchange.Request.Operation == OperationType.Create ? RequestCharges.MetadataCreate
            : exchange.Request.IsWrite ? RequestCharges.MetadataWrite : RequestCharges.MetadataRead;
        exchange.Response.Etag = etag;
        exchange.Response.SetJson(status, resource);
    }

    public static void RespondDeleted(Exchange exchange)
    {
        exchange.Response.Charge = RequestCharges.MetadataWrite;
        exchange.Response.Status = ServiceStatus.NoContent;
    }
}
