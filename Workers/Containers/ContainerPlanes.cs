using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Workers.Accounts;
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

    /// <summary>The container's RU/s, or its database's where it has none of its own; null where the account does not report it.</summary>
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

    /// <summary>Null where the account does not report it.</summary>
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
