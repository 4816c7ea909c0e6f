using Microsoft.Azure.Cosmos;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Containers;

/// <summary>Manages containers through the account's own endpoint, which requires a key for it.</summary>
internal sealed class DataPlane(CosmosClient client, bool hasKey) : IContainerPlane
{
    public string? RejectionToCreate => hasKey
        ? null
        : "An identity cannot create containers on the data plane: give --account-resource-id, so that Azure Resource Manager makes it.";

    public async Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken)
    {
        using var response = await client.GetDatabase(database).ReadStreamAsync(cancellationToken: cancellationToken);
        if (response.StatusCode == HttpStatusCode.NotFound)
            return false;
        response.EnsureSuccessStatusCode();
        return true;
    }

    public Task EnsureDatabaseAsync(string database, ContainerDefinition? sharing, CancellationToken cancellationToken) =>
        client.CreateDatabaseIfNotExistsAsync(
            database, sharing is null ? null : ThroughputOf(sharing.Spec.Throughput, sharing.Spec.Autoscale),
            cancellationToken: cancellationToken);

    public async Task<ContainerFacts?> ReadContainerAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        try
        {
            ContainerProperties properties = await ContainerOf(target).ReadContainerAsync(cancellationToken: cancellationToken);
            return new ContainerFacts
            {
                PartitionKeyPaths = properties.PartitionKeyPaths,
                Expires = properties.DefaultTimeToLive > 0,
                HasUniqueKeys = properties.UniqueKeyPolicy.UniqueKeys.Count > 0,
                Indexing = Enum.Parse<IndexingMode>($"{properties.IndexingPolicy.IndexingMode}"),
            };
        }
        catch (CosmosException e) when (IsMissing(e))
        {
            // It does not exist, which is a result.
            return null;
        }
    }

    public async Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken)
    {
        var properties = definition.Target is { FurtherKeyPaths: null } target
            ? new ContainerProperties(target.Name, target.PartitionKeyPath)
            : new ContainerProperties(definition.Target.Name, definition.Target.KeyPaths);
        properties.PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2;
        if (!definition.HasDefaultIndexing)
            properties.IndexingPolicy = PolicyOf(definition);
        properties.DefaultTimeToLive = definition.Spec.TimeToLive;
        try
        {
            await client.GetDatabase(definition.Target.Database).CreateContainerAsync(
                properties,
                definition.Spec.SharedThroughput ? null : ThroughputOf(definition.Spec.Throughput, definition.Spec.Autoscale),
                cancellationToken: cancellationToken);
            return true;
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.Conflict)
        {
            // Somebody else created it first, which is a result.
            return false;
        }
    }

    public async Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var database = client.GetDatabase(target.Database);
        return await OfferAsync(() => ContainerOf(target).ReadThroughputAsync(new RequestOptions(), cancellationToken), shared: false)
            ?? await OfferAsync(() => database.ReadThroughputAsync(new RequestOptions(), cancellationToken), shared: true);
    }

    public Task ReplaceThroughputAsync(ContainerTarget target, int throughput, bool autoscale, CancellationToken cancellationToken) =>
        ContainerOf(target).ReplaceThroughputAsync(
            ThroughputOf(throughput, autoscale), cancellationToken: cancellationToken);

    public Task<bool> MayReplaceThroughputAsync(string database, CancellationToken cancellationToken) => Task.FromResult(hasKey);

    public async Task DeleteContainerAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        using var response = await ContainerOf(target).DeleteContainerStreamAsync(cancellationToken: cancellationToken);
        try
        {
            response.EnsureSuccessStatusCode();
        }
        catch (CosmosException e) when (IsMissing(e))
        {
            // The container does not exist, so there is nothing to delete.
        }
    }

    private static ThroughputProperties ThroughputOf(int throughput, bool autoscale) => autoscale
        ? ThroughputProperties.CreateAutoscaleThroughput(throughput)
        : ThroughputProperties.CreateManualThroughput(throughput);

    private Container ContainerOf(ContainerTarget target) => client.GetContainer(target.Database, target.Name);

    /// <summary>A container that is being created gives a 404 too, but a transient one.</summary>
    private static bool IsMissing(CosmosException e) =>
        e.StatusCode == HttpStatusCode.NotFound && !AccountErrors.IsTransient(e.StatusCode, e.SubStatusCode);

    /// <summary>
    /// RU/s of a container or database. Null if it has none of its own (404, or 400 of a serverless account), or if the identity may not
    /// read them (401, 403).
    /// </summary>
    private static async Task<ProvisionedThroughput?> OfferAsync(Func<Task<ThroughputResponse>> readAsync, bool shared)
    {
        try
        {
            ThroughputProperties properties = await readAsync();
            return (properties.AutoscaleMaxThroughput ?? properties.Throughput) is { } perSecond
                ? new ProvisionedThroughput(perSecond, shared)
                : null;
        }
        catch (CosmosException e) when ((int)e.StatusCode is 400 or 401 or 403 or 404)
        {
            // There is none to read, or the identity may not read it.
            return null;
        }
    }

    private static IndexingPolicy PolicyOf(ContainerDefinition definition)
    {
        var policy = new IndexingPolicy
        {
            Automatic = definition.Spec.Indexing != IndexingMode.None,
            IndexingMode = Enum.Parse<Microsoft.Azure.Cosmos.IndexingMode>($"{definition.Spec.Indexing}"),
        };
        foreach (var path in definition.PolicyIncludedPaths)
            policy.IncludedPaths.Add(new IncludedPath { Path = path });
        foreach (var path in definition.PolicyExcludedPaths)
            policy.ExcludedPaths.Add(new ExcludedPath { Path = path });
        foreach (var index in definition.PolicyCompositeIndexes)
        {
            policy.CompositeIndexes.Add([.. index.Select(part => new CompositePath
            {
                Path = part.Path, Order = part.IsDescending ? CompositePathSortOrder.Descending : CompositePathSortOrder.Ascending,
            })]);
        }

        return policy;
    }
}

/// <summary>Chooses where an account's containers are managed.</summary>
internal static class ContainerPlanes
{
    /// <summary>Azure Resource Manager where the account's resource id is given, else the data plane.</summary>
    /// <exception cref="AccountException">The resource id is not that of this account.</exception>
    public static IContainerPlane Create(AccountConnection account, CosmosClient client) => account.ResourceId is null
        ? new DataPlane(client, hasKey: account.Key is not null)
        : new ResourceManagerPlane(AccountResourceId.From(account), new ResourceManagerClient(account));
}

/// <summary>
/// Where databases, containers and their throughput are managed: the account's own data plane, Azure Resource Manager, or Table storage.
/// Calls throw the exceptions that <see cref="AccountErrors"/> describes.
/// </summary>
internal interface IContainerPlane
{
    /// <summary>Why containers cannot be created here; null if they can.</summary>
    string? RejectionToCreate { get; }

    Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken);

    /// <summary>Makes the database unless it exists.</summary>
    /// <param name="sharing">Has the throughput that the database's containers share; null for a database without throughput.</param>
    Task EnsureDatabaseAsync(string database, ContainerDefinition? sharing, CancellationToken cancellationToken);

    /// <summary>The container as the account has it; null when it or its database does not exist.</summary>
    Task<ContainerFacts?> ReadContainerAsync(ContainerTarget target, CancellationToken cancellationToken);

    /// <summary>Makes a container; false when there is one of that name.</summary>
    Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken);

    /// <summary>The container's RU/s, or its database's if it has none of its own; null if the account does not report it.</summary>
    Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken);

    /// <summary>Sets the container's own RU/s; with autoscale the maximum.</summary>
    Task ReplaceThroughputAsync(ContainerTarget target, int throughput, bool autoscale, CancellationToken cancellationToken);

    /// <summary>Whether the RU/s of a database's containers may be set. True also if that is not known.</summary>
    Task<bool> MayReplaceThroughputAsync(string database, CancellationToken cancellationToken);

    Task DeleteContainerAsync(ContainerTarget target, CancellationToken cancellationToken);
}

/// <summary>Properties of an existing container that a run depends on.</summary>
internal sealed record ContainerFacts
{
    /// <summary>One path; several for a hierarchical key.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    /// <summary>Whether documents expire by default.</summary>
    public bool Expires { get; init; }

    public bool HasUniqueKeys { get; init; }

    /// <summary>Null if the account does not report it.</summary>
    public IndexingMode? Indexing { get; init; }
}

/// <summary>The container that a run makes.</summary>
internal sealed record ContainerDefinition(ContainerTarget Target, ContainerSpec Spec)
{
    private const string EtagPath = "/\"_etag\"/?";

    /// <summary>Whether the service's own default policy is wanted, so that none is sent.</summary>
    public bool HasDefaultIndexing =>
        Spec is { Indexing: IndexingMode.Consistent, ExcludedPaths.Count: 0, CompositeIndexes.Count: 0 };

    public IReadOnlyList<string> PolicyIncludedPaths => Spec.Indexing == IndexingMode.None ? [] : Spec.PolicyIncludedPaths;

    public IEnumerable<IReadOnlyList<(string Path, bool IsDescending)>> PolicyCompositeIndexes => Spec.CompositeIndexes.Select(
        index => index.Split(", ").Select(part => (part.Split(' ')[0], part.EndsWith(" DESC", StringComparison.Ordinal))).ToList());

    /// <summary>The spec's paths and <c>_etag</c>, which the default policy excludes too.</summary>
    public IReadOnlyList<string> PolicyExcludedPaths =>
        Spec.Indexing == IndexingMode.None ? [] : [.. Spec.ExcludedPaths.Append(EtagPath).Distinct(StringComparer.Ordinal)];
}

/// <param name="PerSecond">RU/s; with autoscale the maximum.</param>
/// <param name="SharedByDatabase">Whether all containers of the database share it.</param>
internal sealed record ProvisionedThroughput(int PerSecond, bool SharedByDatabase);

/// <summary>
/// Manages the tables of Table storage. A table stands in for a container; it has no database and no provisioned throughput.
/// </summary>
internal sealed class TablePlane(TableAccount account) : IContainerPlane, IDisposable
{
    private readonly TableService _client = TableService.CreateControl(account);

    public string? RejectionToCreate => null;

    /// <summary>
    /// The server name that an emulator reports, such as <c>Azurite-Table/3.37.0</c>; null if the account is no emulator.
    /// </summary>
    public async Task<string?> FindEmulatorAsync(CancellationToken cancellationToken)
    {
        var server = await _client.ReadServerAsync(cancellationToken);
        return account.Endpoint.IsLoopback || server.StartsWith("Azurite", StringComparison.OrdinalIgnoreCase) ? server : null;
    }

    public Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken) => Task.FromResult(true);

    public Task EnsureDatabaseAsync(string database, ContainerDefinition? sharing, CancellationToken cancellationToken) =>
        Task.CompletedTask;

    public async Task<ContainerFacts?> ReadContainerAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        await _client.ExistsAsync(target.Name, cancellationToken)
            ? new ContainerFacts { PartitionKeyPaths = target.KeyPaths }
            : null;

    public Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken) =>
        _client.TryCreateAsync(definition.Target.Name, cancellationToken);

    public Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        Task.FromResult<ProvisionedThroughput?>(null);

    public Task ReplaceThroughputAsync(ContainerTarget target, int throughput, bool autoscale, CancellationToken cancellationToken) =>
        throw new NotSupportedException("A table has no provisioned RU/s.");

    public Task<bool> MayReplaceThroughputAsync(string database, CancellationToken cancellationToken) => Task.FromResult(false);

    public Task DeleteContainerAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        _client.DeleteAsync(target.Name, cancellationToken);

    /// <summary>Reads the row key of every entity, a thousand at a time, because a table has no count of its own.</summary>
    public Task<long> CountAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        _client.CountAsync(target.Name, cancellationToken);

    public void Dispose() => _client.Dispose();
}
