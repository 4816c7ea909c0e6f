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
