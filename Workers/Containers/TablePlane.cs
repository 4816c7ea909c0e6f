namespace ScaleOut.Workers.Containers;

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
