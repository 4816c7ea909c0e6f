using System.IO.Enumeration;

namespace ScaleOut.Workers.Containers;

/// <summary>Manages containers through Azure Resource Manager, where an identity may be allowed to.</summary>
internal sealed class ResourceManagerPlane(AccountResourceId account, ResourceManagerClient client) : IContainerPlane
{
    private const string ThroughputPath = "/throughputSettings/default";
    private const string PermissionsPath = "/providers/Microsoft.Authorization/permissions";
    private const string PermissionsVersion = "2022-04-01";
    private const string ThroughputAction = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/write";

    public string? RejectionToCreate => null;

    public async Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken) =>
        await client.GetAsync(account.Database(database), cancellationToken) is not null;

    public async Task EnsureDatabaseAsync(string database, ContainerDefinition? sharing, CancellationToken cancellationToken)
    {
        if (await DatabaseExistsAsync(database, cancellationToken))
            return;
        var options = sharing is null ? new { } : OptionsOf(sharing.Spec.Throughput, sharing.Spec.Autoscale);
        var body = new { properties = new { resource = new { id = database }, options } };
        await client.PutAsync(account.Database(database), body, cancellationToken);
    }

    public async Task<ContainerFacts?> ReadContainerAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        if (await client.GetAsync(account.Container(target), cancellationToken) is not { } body)
            return null;

        var resource = ResourceIn(body);
        return new ContainerFacts
        {
            PartitionKeyPaths = resource.TryGetProperty("partitionKey", out var key) && key.TryGetProperty("paths", out var paths)
                ? [.. paths.EnumerateArray().Select(path => path.GetString()!)]
                : [],
            Expires = resource.TryGetProperty("defaultTtl", out var ttl) && ttl.ValueKind == JsonValueKind.Number && ttl.GetInt64() > 0,
            HasUniqueKeys = resource.TryGetProperty("uniqueKeyPolicy", out var unique) && unique.ValueKind == JsonValueKind.Object
                && unique.TryGetProperty("uniqueKeys", out var keys) && keys.GetArrayLength() > 0,
            Indexing = resource.TryGetProperty("indexingPolicy", out var policy) && policy.ValueKind == JsonValueKind.Object
                && policy.TryGetProperty("indexingMode", out var mode)
                && Enum.TryParse<IndexingMode>(mode.GetString(), ignoreCase: true, out var kept)
                    ? kept
                    : null,
        };
    }

    /// <summary>
    /// Looks for the container first, because Resource Manager would change one that exists. The two calls are not atomic.
    /// </summary>
    public async Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken)
    {
        var path = account.Container(definition.Target);
        if (await client.GetAsync(path, cancellationToken) is not null)
            return false;
        await client.PutAsync(path, BodyOf(definition), cancellationToken);
        return true;
    }

    public async Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        await ThroughputAsync(account.Container(target), shared: false, cancellationToken)
        ?? await ThroughputAsync(account.Database(target.Database), shared: true, cancellationToken);

    public Task ReplaceThroughputAsync(ContainerTarget target, int throughput, bool autoscale, CancellationToken cancellationToken) =>
        client.PutAsync(
            account.Container(target) + ThroughputPath, new { properties = new { resource = OptionsOf(throughput, autoscale) } },
            cancellationToken);

    /// <summary>
    /// Looks for the action in the permissions that the identity has on the database. Each of them is one of a role and counts by itself.
    /// </summary>
    public async Task<bool> MayReplaceThroughputAsync(string database, CancellationToken cancellationToken)
    {
        if (await client.GetAsync(account.Database(database) + PermissionsPath, cancellationToken, PermissionsVersion) is not { } body
            || body.ValueKind != JsonValueKind.Object || !body.TryGetProperty("value", out var permissions)
            || permissions.ValueKind != JsonValueKind.Array)
            return true;
        return permissions.EnumerateArray().Any(permission => Has(permission, "actions") && !Has(permission, "notActions"));

        static bool Has(JsonElement permission, string list) =>
            permission.TryGetProperty(list, out var actions) && actions.ValueKind == JsonValueKind.Array
            && actions.EnumerateArray().Any(action => FileSystemName.MatchesSimpleExpression(action.GetString(), ThroughputAction));
    }

    public Task DeleteContainerAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        client.DeleteAsync(account.Container(target), cancellationToken);

    private static object BodyOf(ContainerDefinition definition)
    {
        var resource = new
        {
            id = definition.Target.Name,
            partitionKey = new
            {
                paths = definition.Target.KeyPaths,
                kind = definition.Target.FurtherKeyPaths is null ? "Hash" : "MultiHash",
                version = 2,
            },
            defaultTtl = definition.Spec.TimeToLive,
            indexingPolicy = definition.HasDefaultIndexing ? null : PolicyOf(definition),
        };
        var options = definition.Spec.SharedThroughput ? new { } : OptionsOf(definition.Spec.Throughput, definition.Spec.Autoscale);
        return new { properties = new { resource, options } };
    }

    private static object OptionsOf(int throughput, bool autoscale) =>
        autoscale ? new { autoscaleSettings = new { maxThroughput = throughput } } : new { throughput };

    private static object PolicyOf(ContainerDefinition definition) => new
    {
        indexingMode = definition.Spec.Indexing switch { IndexingMode.Lazy => "lazy", IndexingMode.None => "none", _ => "consistent" },
        automatic = definition.Spec.Indexing != IndexingMode.None,
        includedPaths = definition.PolicyIncludedPaths.Select(path => new { path }),
        excludedPaths = definition.PolicyExcludedPaths.Select(path => new { path }),
        compositeIndexes = definition.Spec.CompositeIndexes.Count == 0
            ? null
            : definition.PolicyCompositeIndexes.Select(index => index.Select(
                part => new { path = part.Path, order = part.IsDescending ? "descending" : "ascending" })),
    };

    private static JsonElement ResourceIn(JsonElement body) =>
        body.ValueKind == JsonValueKind.Object && body.TryGetProperty("properties", out var properties)
        && properties.ValueKind == JsonValueKind.Object && properties.TryGetProperty("resource", out var resource)
        && resource.ValueKind == JsonValueKind.Object
            ? resource
            : throw new AccountException("Azure Resource Manager responded with something that is no Cosmos DB resource.");

    /// <summary>
    /// RU/s of a container or database. Null if it has none of its own (404, or 400 of a serverless account), or if the identity may not
    /// read them (403).
    /// </summary>
    private async Task<ProvisionedThroughput?> ThroughputAsync(string path, bool shared, CancellationToken cancellationToken)
    {
        try
        {
            if (await client.GetAsync(path + ThroughputPath, cancellationToken) is not { } body)
                return null;
            var resource = ResourceIn(body);
            return (resource.TryGetProperty("autoscaleSettings", out var autoscale) && autoscale.ValueKind == JsonValueKind.Object
                    && autoscale.TryGetProperty("maxThroughput", out var throughput))
                || resource.TryGetProperty("throughput", out throughput)
                    ? new ProvisionedThroughput(throughput.GetInt32(), shared)
                    : null;
        }
        catch (RequestFailedException e) when (e.Status is 400 or 403)
        {
            // There is none to read, or the identity may not read it.
            return null;
        }
    }
}

/// <summary>Azure resource id of a Cosmos DB account, and the paths of its databases and containers.</summary>
internal sealed partial class AccountResourceId
{
    private const string Shape = "/subscriptions/<id>/resourceGroups/<name>/providers/Microsoft.DocumentDB/databaseAccounts/<name>";

    private readonly string _path;

    private AccountResourceId(string path) => _path = path;

    /// <exception cref="AccountException">The id is malformed, or it names another account than the endpoint.</exception>
    public static AccountResourceId From(AccountConnection account)
    {
        var text = account.ResourceId ?? throw new AccountException("The account's resource id is missing.");
        if (Pattern().Match(text) is not { Success: true } match)
            throw new AccountException($"The account's resource id is malformed: it must look like {Shape}.");

        // A regional endpoint has the region behind the account's name.
        var (name, host) = (match.Groups["name"].Value, account.Endpoint.Host.Split('.')[0]);
        if (AzureEndpoints.Contains(account.Endpoint)
            && !host.Equals(name, StringComparison.OrdinalIgnoreCase)
            && !host.StartsWith(name + "-", StringComparison.OrdinalIgnoreCase))
            throw new AccountException(
                $"The account's resource id names {name}, its endpoint {account.Endpoint.Host}: they must be the same account.");
        return new AccountResourceId(text.TrimEnd('/'));
    }

    public string Database(string database) => $"{_path}/sqlDatabases/{Uri.EscapeDataString(database)}";

    public string Container(ContainerTarget target) => $"{Database(target.Database)}/containers/{Uri.EscapeDataString(target.Name)}";

    [GeneratedRegex(
        @"^/subscriptions/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/resourceGroups/[-\w.()]{1,90}"
        + @"/providers/Microsoft\.DocumentDB/databaseAccounts/(?<name>[a-z0-9-]{3,50})/?\z",
        RegexOptions.IgnoreCase)]
    private static partial Regex Pattern();
}
