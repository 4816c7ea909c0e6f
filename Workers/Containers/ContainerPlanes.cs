using Microsoft.Azure.Cosmos;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Containers;

/// <summary>Manages containers through the account's own endpoint, which takes a key for it and no identity.</summary>
/// <param name="client">The control client; it stays the caller's.</param>
/// <param name="hasKey">Whether the client has the account's key.</param>
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

    public Task EnsureDatabaseAsync(string database, CancellationToken cancellationToken) =>
        client.CreateDatabaseIfNotExistsAsync(database, throughput: null, cancellationToken: cancellationToken);

    public async Task<ContainerFacts?> ReadContainerAsync(string database, string name, CancellationToken cancellationToken)
    {
        try
        {
            ContainerProperties properties = await client.GetContainer(database, name)
                .ReadContainerAsync(cancellationToken: cancellationToken);
            return new ContainerFacts
            {
                PartitionKeyPaths = properties.PartitionKeyPaths,
                Expires = properties.DefaultTimeToLive > 0,
                HasUniqueKeys = properties.UniqueKeyPolicy.UniqueKeys.Count > 0,
                Indexing = properties.IndexingPolicy.IndexingMode switch
                {
                    Microsoft.Azure.Cosmos.IndexingMode.Consistent => IndexingMode.Consistent,
                    Microsoft.Azure.Cosmos.IndexingMode.Lazy => IndexingMode.Lazy,
                    _ => IndexingMode.None,
                },
            };
        }
        catch (CosmosException e) when (IsMissing(e))
        {
            return null;
        }
    }

    public async Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken)
    {
        var properties = new ContainerProperties(definition.Target.Name, definition.Target.PartitionKeyPath)
        {
            PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2,
        };
        if (!definition.HasDefaultIndexing)
            properties.IndexingPolicy = PolicyOf(definition);
        var throughput = definition.Autoscale
            ? ThroughputProperties.CreateAutoscaleThroughput(definition.Throughput)
            : ThroughputProperties.CreateManualThroughput(definition.Throughput);
        try
        {
            await client.GetDatabase(definition.Target.Database)
                .CreateContainerAsync(properties, throughput, cancellationToken: cancellationToken);
            return true;
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.Conflict)
        {
            return false;
        }
    }

    public async Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var database = client.GetDatabase(target.Database);
        return await OfferAsync(
            () => database.GetContainer(target.Name).ReadThroughputAsync(new RequestOptions(), cancellationToken), shared: false)
            ?? await OfferAsync(() => database.ReadThroughputAsync(new RequestOptions(), cancellationToken), shared: true);
    }

    public async Task DeleteContainerAsync(string database, string name, CancellationToken cancellationToken)
    {
        using var response = await client.GetContainer(database, name).DeleteContainerStreamAsync(cancellationToken: cancellationToken);
        try
        {
            response.EnsureSuccessStatusCode();
        }
        catch (CosmosException e) when (IsMissing(e))
        {
            // It is gone, or never was.
        }
    }

    public void Dispose()
    {
    }

    /// <summary>Also of a container that is being created there is a 404, but a transient one.</summary>
    private static bool IsMissing(CosmosException e) =>
        e.StatusCode == HttpStatusCode.NotFound && !AccountErrors.IsTransient(e.StatusCode, e.SubStatusCode);

    /// <summary>
    /// Null when there is no offer (404), none can be (400, serverless), or its reading is not allowed (401, 403: an identity).
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
            return null;
        }
    }

    private static IndexingPolicy PolicyOf(ContainerDefinition definition)
    {
        var policy = new IndexingPolicy
        {
            Automatic = definition.Indexing != IndexingMode.None,
            IndexingMode = definition.Indexing switch
            {
                IndexingMode.Consistent => Microsoft.Azure.Cosmos.IndexingMode.Consistent,
                IndexingMode.Lazy => Microsoft.Azure.Cosmos.IndexingMode.Lazy,
                _ => Microsoft.Azure.Cosmos.IndexingMode.None,
            },
        };
        foreach (var path in definition.PolicyIncludedPaths)
            policy.IncludedPaths.Add(new IncludedPath { Path = path });
        foreach (var path in definition.PolicyExcludedPaths)
            policy.ExcludedPaths.Add(new ExcludedPath { Path = path });
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
/// Where databases, containers and their throughput are managed: the account's own data plane, or Azure Resource Manager.
/// Calls throw what <see cref="AccountErrors"/> knows.
/// </summary>
internal interface IContainerPlane : IDisposable
{
    /// <summary>Why no container can be made here, whatever its definition; null when it can.</summary>
    string? RejectionToCreate { get; }

    Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken);

    /// <summary>Makes the database unless it exists. It gets no throughput of its own.</summary>
    Task EnsureDatabaseAsync(string database, CancellationToken cancellationToken);

    /// <summary>The container as the account has it; null when it or its database does not exist.</summary>
    Task<ContainerFacts?> ReadContainerAsync(string database, string name, CancellationToken cancellationToken);

    /// <summary>Makes a container; false when there is one of that name.</summary>
    Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken);

    /// <summary>The container's RU/s, or its database's where it has none of its own; null if the account does not report it.</summary>
    Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken);

    /// <summary>Deletes a container; one that does not exist is fine.</summary>
    Task DeleteContainerAsync(string database, string name, CancellationToken cancellationToken);
}

/// <summary>What a run needs to know of a container that exists.</summary>
internal sealed record ContainerFacts
{
    /// <summary>One path; several for a hierarchical key.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    /// <summary>Whether documents vanish after a time unless they say otherwise.</summary>
    public bool Expires { get; init; }

    /// <summary>Whether it rejects documents that are equal in some property.</summary>
    public bool HasUniqueKeys { get; init; }

    /// <summary>Null if the account does not report it.</summary>
    public IndexingMode? Indexing { get; init; }

    /// <summary>The path, or the paths of a hierarchical key, for people.</summary>
    public string PartitionKeyText => string.Join(" + ", PartitionKeyPaths);
}

/// <summary>A container to make.</summary>
internal sealed record ContainerDefinition
{
    /// <summary>What a container indexes where its policy does not say otherwise, and the one property that it then leaves out.</summary>
    private const string EverythingPath = "/*";

    private const string EtagPath = "/\"_etag\"/?";

    public required ContainerTarget Target { get; init; }

    /// <summary>RU/s; with <see cref="Autoscale"/> the maximum.</summary>
    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    public required IndexingMode Indexing { get; init; }

    /// <summary>As the spec has them.</summary>
    public required IReadOnlyList<string> ExcludedPaths { get; init; }

    /// <summary>Whether the service's own default policy is wanted, so that none is sent.</summary>
    public bool HasDefaultIndexing => Indexing == IndexingMode.Consistent && ExcludedPaths.Count == 0;

    /// <summary>Paths of the policy to send; a policy without an index has none.</summary>
    public IReadOnlyList<string> PolicyIncludedPaths =>
        Indexing == IndexingMode.None || ExcludedPaths.Contains(EverythingPath) ? [] : [EverythingPath];

    /// <summary>Paths of the policy to send: the spec's and <c>_etag</c>, which the default policy leaves out too.</summary>
    public IReadOnlyList<string> PolicyExcludedPaths =>
        Indexing == IndexingMode.None ? [] : [.. ExcludedPaths.Append(EtagPath).Distinct(StringComparer.Ordinal)];
}

/// <summary>Provisioned throughput.</summary>
/// <param name="PerSecond">RU/s; with autoscale the maximum.</param>
/// <param name="SharedByDatabase">Whether it is the database's, which its containers share.</param>
internal sealed record ProvisionedThroughput(int PerSecond, bool SharedByDatabase);
