using System.Net;
using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Workers.Accounts;
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
