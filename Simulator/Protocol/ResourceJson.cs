namespace ScaleOut.Simulator.Protocol;

/// <summary>Resources in JSON: objects to serialize, with the names and order of the service.</summary>
internal static class ResourceJson
{
    /// <summary>Leaves quotes as they are, as the service does.</summary>
    private static readonly JsonSerializerOptions Relaxed = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private const double KilobytesPerGigabyte = 1e6;
    private const string Geospatial = "geospatialConfig";

    private static readonly string QueryEngineConfiguration = JsonSerializer.Serialize(new
    {
        maxSqlQueryInputLength = 262144, maxJoinsPerSqlQuery = 5, maxLogicalAndPerSqlQuery = 500, maxLogicalOrPerSqlQuery = 500,
        maxUdfRefPerSqlQuery = QueryRules.MaxUserCalls, maxInExpressionItemsCount = 16000, queryMaxInMemorySortDocumentCount = 500,
        maxQueryRequestTimeoutFraction = 0.9, sqlAllowNonFiniteNumbers = false, sqlAllowAggregateFunctions = true,
        sqlAllowSubQuery = true, sqlAllowScalarSubQuery = true, allowNewKeywords = true, sqlAllowLike = true,
        sqlAllowGroupByClause = true, maxSpatialQueryCells = 12, spatialMaxGeometryPointCount = 256,
        sqlDisableQueryILOptimization = false, sqlDisableFilterPlanOptimization = false, sqlAllowTop = true,
        enableSpatialIndexing = true,
    });

    public static byte[] ToBytes(object resource) => JsonSerializer.SerializeToUtf8Bytes(resource, resource.GetType(), Relaxed);

    /// <param name="endpoint">Clients send all later requests there, so it must be the address that they used.</param>
    public static object FromAccount(string endpoint, string consistency)
    {
        var locations = new[] { new { name = Orchestration.AccountFacts.SimulatedRegion, databaseAccountEndpoint = endpoint } };
        return new
        {
            _self = "",
            id = "simulated",
            _rid = "simulated.documents",
            media = "//media/",
            addresses = "//addresses/",
            _dbs = "//dbs/",
            writableLocations = locations,
            readableLocations = locations,
            enableMultipleWriteLocations = false,
            continuousBackupEnabled = false,
            enableNRegionSynchronousCommit = false,
            enablePerPartitionFailoverBehavior = false,
            disableCrossRegionalHedging = false,
            userReplicationPolicy = new
            {
                asyncReplication = false,
                minReplicaSetSize = ReplicaSet.WriteQuorum,
                maxReplicasetSize = ReplicaSet.Size,
            },
            systemReplicationPolicy = new { minReplicaSetSize = ReplicaSet.WriteQuorum, maxReplicasetSize = ReplicaSet.Size },
            readPolicy = new { primaryReadCoefficient = 1, secondaryReadCoefficient = 1 },
            userConsistencyPolicy = new { defaultConsistencyLevel = consistency },
            queryEngineConfiguration = QueryEngineConfiguration,
        };
    }

    /// <param name="replica">0 is the primary.</param>
    /// <param name="range">Id of the partition key range; <c>M</c> for the partition of databases.</param>
    public static object FromAddress(int replica, string address, string range) => new
    {
        isPrimary = replica == 0,
        isAuxiliary = false,
        protocol = "rntbd",
        logicalUri = address,
        // The protocol's own spelling.
        physcialUri = address,
        partitionIndex = range == "M" ? "0" : range,
        partitionKeyRangeId = range,
        id = replica.ToString(CultureInfo.InvariantCulture),
    };

    public static string EtagOf(DatabaseResource database) => $"\"{database.Rid}\"";

    public static object From(DatabaseResource database) => new
    {
        id = database.Name,
        _rid = database.Rid,
        _self = database.SelfLink,
        _etag = EtagOf(database),
        _colls = "colls/",
        _users = "users/",
        _ts = database.TimestampSeconds,
    };

    public static string EtagOf(ContainerResource container, ScriptDefinition script) =>
        DocumentEtag.Quoted(container.Number, script.Revision);

    public static object From(ContainerResource container, ScriptDefinition script)
    {
        var json = new JsonObject { ["id"] = script.Name, ["body"] = script.Body };
        if (script.Kind == ScriptKind.Trigger)
            (json["triggerOperation"], json["triggerType"]) = (script.TriggerOperation, script.TriggerType);
        var rid = RidEncoding.Script(container.RidBytes, script);
        json["_rid"] = rid;
        json["_self"] = $"{container.SelfLink}{ScriptFeed.Of(script.Kind).Path}/{rid}/";
        json["_etag"] = EtagOf(container, script);
        json["_ts"] = script.TimestampSeconds;
        return json;
    }

    public static string EtagOf(ContainerResource container) => $"\"{container.Rid}-{container.Revision}\"";

    public static string OfferEtagOf(IOfferOwner owner) => $"\"{owner.OfferRid}-{owner.Revision}\"";

    public static object FromOffer(IOfferOwner owner)
    {
        var offer = owner.OwnOffer!;
        var content = new Dictionary<string, object>
        {
            ["offerThroughput"] = offer.Throughput,
            ["offerIsRUPerMinuteThroughputEnabled"] = false,
            ["offerMinimumThroughputParameters"] = new
            {
                maxThroughputEverProvisioned = Math.Max(offer.HighestBefore, offer.Throughput),
                maxConsumedStorageEverInKB = (long)(owner.StoredGigabytes * KilobytesPerGigabyte),
            },
        };
        if (offer.Autoscale)
            content["offerAutopilotSettings"] = new { maxThroughput = offer.Throughput };
        if (offer.Buckets is { Count: > 0 } buckets)
        {
            content["throughputBuckets"] =
                buckets.Select(one => new { id = one.Id, maxThroughputPercentage = one.MaxThroughputPercentage });
        }

        return new
        {
            resource = owner.SelfLink,
            offerType = "Invalid",
            offerResourceId = owner.Rid,
            offerVersion = "V2",
            content,
            id = owner.OfferRid,
            _rid = owner.OfferRid,
            _self = $"offers/{owner.OfferRid}/",
            _etag = OfferEtagOf(owner),
            _ts = owner.TimestampSeconds,
        };
    }

    /// <param name="live">Partitions that share the throughput.</param>
    public static object From(ContainerResource container, PhysicalPartition partition, int live)
    {
        var rid = RidEncoding.Range(container.RidBytes, partition.Ordinal);
        return new
        {
            _rid = rid,
            id = partition.Id,
            _etag = "\"0\"",
            minInclusive = partition.Range.MinInclusive,
            maxExclusive = partition.Range.MaxExclusive,
            ridPrefix = partition.Ordinal,
            _self = $"{container.SelfLink}pkranges/{rid}/",
            throughputFraction = 1.0 / live,
            status = "online",
            parents = partition.Parents,
            ownedArchivalPKRangeIds = Array.Empty<string>(),
            _ts = container.TimestampSeconds,
            lsn = partition.Lsn,
        };
    }

    public static object From(ContainerResource container)
    {
        var settings = container.Settings;
        var policies = settings.Policies;
        var json = new JsonObject
        {
            ["id"] = settings.Name,
            ["indexingPolicy"] = IndexingPolicyOf(settings),
            ["partitionKey"] = PartitionKeyOf(settings.PartitionKey),
        };
        if (policies.DefaultTtl is { } ttl)
            json["defaultTtl"] = ttl;
        if (policies.UniqueKeys.Count > 0)
        {
            json["uniqueKeyPolicy"] = Node(new
            {
                uniqueKeys = policies.UniqueKeys.Select(key => new { paths = key.Select(path => path.Text) }),
            });
        }

        foreach ((var name, var value) in policies.Kept.Where(one => one.Key != Geospatial))
            (name == "spatialIndexes" ? json["indexingPolicy"]! : json)[name] = value.DeepClone();
        json["conflictResolutionPolicy"] = Node(new
        {
            mode = policies.ConflictResolution.Mode,
            conflictResolutionPath = policies.ConflictResolution.Path,
            conflictResolutionProcedure = policies.ConflictResolution.Procedure,
        });
        json[Geospatial] = policies.Kept.GetValueOrDefault(Geospatial)?.DeepClone() ?? Node(new { type = "Geography" });
        json["_rid"] = container.Rid;
        json["_ts"] = container.TimestampSeconds;
        json["_self"] = container.SelfLink;
        json["_etag"] = EtagOf(container);
        json["_docs"] = "docs/";
        json["_sprocs"] = "sprocs/";
        json["_triggers"] = "triggers/";
        json["_udfs"] = "udfs/";
        json["_conflicts"] = "conflicts/";
        return json;
    }

    private static JsonObject IndexingPolicyOf(ContainerSettings settings)
    {
        var policy = Node(new
        {
            indexingMode = JsonNamingPolicy.CamelCase.ConvertName(settings.Indexing.Mode.ToString()),
            automatic = settings.Automatic,
            includedPaths = settings.IncludedPaths.Select(path => new { path }),
            excludedPaths = settings.ExcludedPaths.Select(path => new { path }),
        })!.AsObject();
        if (settings.Indexing.Composites.Count > 0)
        {
            policy["compositeIndexes"] = Node(settings.Indexing.Composites.Select(
                index => index.Select(part => new { path = part.Path.Text, order = part.IsDescending ? "descending" : "ascending" })));
        }

        return policy;
    }

    private static JsonObject PartitionKeyOf(PartitionKeyDefinition key)
    {
        var definition = Node(new
        {
            paths = key.Paths.Select(path => path.Text),
            kind = key.IsHierarchical ? "MultiHash" : "Hash",
        })!.AsObject();
        if (key.NamesVersion)
            definition["version"] = (int)key.Version;
        return definition;
    }

    private static JsonNode? Node(object value) => JsonSerializer.SerializeToNode(value, value.GetType());
}
