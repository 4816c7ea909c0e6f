using Microsoft.Azure.Cosmos;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Tests.Workers.Containers;

/// <summary>An account in memory. Its calls can be made to fail before or after their work is done.</summary>
internal sealed class FakePlane : IContainerPlane
{
    public Dictionary<string, ContainerFacts> Containers { get; } = [];

    public HashSet<string> Databases { get; } = [];

    public Dictionary<string, long> Documents { get; } = [];

    public ProvisionedThroughput? Throughput { get; set; } = new(5_000, SharedByDatabase: false);

    public string? RejectionToCreate { get; set; }

    /// <summary>Whether the account has lazy indexing. Without it, containers get consistent indexing instead.</summary>
    public bool HasLazyIndexing { get; set; }

    /// <summary>Runs at the start of each creation. If it throws, nothing is created.</summary>
    public Action BeforeCreate { get; set; } = () => { };

    /// <summary>Runs at the end of each creation. If it throws, the container has been created all the same.</summary>
    public Action AfterCreate { get; set; } = () => { };

    public Action BeforeCount { get; set; } = () => { };

    /// <summary>Whether the RU/s may be set; may throw.</summary>
    public Func<bool> MayReplaceThroughput { get; set; } = () => true;

    public List<ContainerDefinition> Created { get; } = [];

    public List<string> Deleted { get; } = [];

    public async Task<bool> MayReplaceThroughputAsync(string database, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return MayReplaceThroughput();
    }

    public Task<bool> DatabaseExistsAsync(string database, CancellationToken cancellationToken) =>
        Task.FromResult(Databases.Contains(database));

    public Task EnsureDatabaseAsync(string database, ContainerDefinition? sharing, CancellationToken cancellationToken)
    {
        Databases.Add(database);
        if (sharing is not null)
            Throughput = new(sharing.Spec.Throughput, SharedByDatabase: true);
        return Task.CompletedTask;
    }

    public Task<ContainerFacts?> ReadContainerAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        Task.FromResult(Containers.GetValueOrDefault(PathOf(target)));

    public Task<bool> TryCreateContainerAsync(ContainerDefinition definition, CancellationToken cancellationToken)
    {
        BeforeCreate();
        var (target, indexing) = (definition.Target, definition.Spec.Indexing);
        var added = Containers.TryAdd(PathOf(target), new ContainerFacts
        {
            PartitionKeyPaths = target.KeyPaths,
            Indexing = HasLazyIndexing || indexing != IndexingMode.Lazy ? indexing : IndexingMode.Consistent,
        });
        if (added)
            Created.Add(definition);
        AfterCreate();
        return Task.FromResult(added);
    }

    public Task<ProvisionedThroughput?> ReadThroughputAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        Task.FromResult(Throughput);

    public Task ReplaceThroughputAsync(ContainerTarget target, int throughput, bool autoscale, CancellationToken cancellationToken)
    {
        Throughput = new(throughput, SharedByDatabase: false);
        return Task.CompletedTask;
    }

    public Task DeleteContainerAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        Deleted.Add(PathOf(target));
        Containers.Remove(PathOf(target));
        return Task.CompletedTask;
    }

    public Task<long> CountAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        BeforeCount();
        return Task.FromResult(Documents.GetValueOrDefault(PathOf(target)));
    }

    public static CosmosException Response(HttpStatusCode status) => new("text", status, 0, "activity", 0);

    private static string PathOf(ContainerTarget target) => $"{target.Database}/{target.Name}";
}
