using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Protocol;

/// <summary>How a container looks in JSON.</summary>
internal static partial class ResourceJson
{
    public static object From(ContainerResource container)
    {
        ContainerSettings settings = container.Settings;
        ContainerPolicies policies = settings.Policies;
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

        foreach ((string name, JsonNode value) in policies.Kept)
            (name == "spatialIndexes" ? json["indexingPolicy"]! : json)[name] = value.DeepClone();
        json["conflictResolutionPolicy"] = Node(new
        {
            mode = policies.ConflictResolution.Mode,
            conflictResolutionPath = policies.ConflictResolution.Path,
            conflictResolutionProcedure = policies.ConflictResolution.Procedure,
        });
        json["_rid"] = container.Rid;
        json["_self"] = container.SelfLink;
        json["_etag"] = EtagOf(container);
        json["_docs"] = "docs/";
        json["_sprocs"] = "sprocs/";
        json["_triggers"] = "triggers/";
        json["_udfs"] = "udfs/";
        json["_conflicts"] = "conflicts/";
        json["_ts"] = container.TimestampSeconds;
        return json;
    }

    private static JsonObject IndexingPolicyOf(ContainerSettings settings)
    {
        JsonObject policy = Node(new
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
        JsonObject definition = Node(new
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
