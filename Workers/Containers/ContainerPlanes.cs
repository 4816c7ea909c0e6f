using Microsoft.Azure.Cosmos;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Containers;

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

/// <param name="PerSecond">RU/s; with autoscale the maximum.</param>
/// <param name="SharedByDatabase">Whether all containers of the database share it.</param>
internal sealed record ProvisionedThroughput(int PerSecond, bool SharedByDatabase);
