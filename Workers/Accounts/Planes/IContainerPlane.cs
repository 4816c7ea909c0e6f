using ScaleOut.Orchestration;

namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>
/// Where databases, containers and their throughput are managed: the account's own data plane, or Azure Resource Manager.
/// Calls throw what <see cref="AccountErrors"/> knows.
/// </summary>
internal interface IContainerPlane : IDisposable
{
    /// <summary>Why no container can be made here, whatever its definition; null when it can.</summary>
    string? RefusalToCreate { get; }

    Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken);

    /// <summary>Makes the database unless it exists. It gets no throughput of its own.</summary>
    Task EnsureDatabaseAsync(string database, CancellationToken cancellationToken);

    /// <summary>The container as the account has it; null when it or its database does not exist.</summary>
    Task<ContainerFacts?> ReadContainerAsync(string database, string name, CancellationToken cancellationToken);

    /// <summary>Makes a container; false when there is one of that name.</summary>
    Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken);

    /// <summary>The container's RU/s, or its database's where it has none of its own; null where the account does not tell.</summary>
    Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken);

    /// <summary>Deletes a container; one that does not exist is fine.</summary>
    Task DeleteContainerAsync(string database, string name, CancellationToken cancellationToken);
}
