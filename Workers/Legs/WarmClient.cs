using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Tables;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Workers.Legs;

/// <summary>A client of Cosmos DB.</summary>
internal sealed class WarmClient : IWarmClient
{
    private readonly CosmosClient _client;
    private double _unclaimedRequestUnits;

    private WarmClient(CosmosClient client, Container container, IReadOnlyList<double> roundTripMs, double requestUnits)
    {
        (_client, Container, RoundTripMs, _unclaimedRequestUnits) = (client, container, roundTripMs, requestUnits);
    }

    public Container Container { get; }

    /// <inheritdoc/>
    public IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>Makes a client and opens its connections.</summary>
    /// <exception cref="CosmosException">The account cannot be used.</exception>
    public static async Task<WarmClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken)
    {
        var (settings, target) = (assignment.Client, assignment.Container);
        var bulk = assignment.Workload.UsesBulk;
        var handler = assignment.Workload.Kind == WorkloadKind.Query ? new QueryCallHandler() : null;
        var client = settings.ConnectionMode == ConnectionMode.Direct
            ? await CosmosClientFactory.CreateAndInitializeAsync(account, settings, bulk, target, cancellationToken, handler)
            : CosmosClientFactory.Create(account, settings, bulk, handler);
        try
        {
            var container = client.GetContainer(target.Database, target.Name);
            var requestUnits = await WarmUp.ReadAsync(
                settings.Concurrency, key => ReadNothingAsync(container, key, cancellationToken));
            return new WarmClient(
                client, container, await Measuring.RoundTrip.MeasureAsync(account.Endpoint, cancellationToken), requestUnits);
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public double TakeWarmupRequestUnits() => Interlocked.Exchange(ref _unclaimedRequestUnits, 0);

    /// <inheritdoc/>
    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) =>
        PartitionRanges.ReadAsync(Container, cancellationToken);

    /// <inheritdoc/>
    public IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions)
    {
        var context = new OperationContext(Container, documents, partitions, assignment.Client.ContentResponseOnWrite)
        {
            Preload = assignment.Preload,
            WrittenInBatchesOf = assignment.Workload.OfRun is null ? null : assignment.Workload.BatchSize,
        };
        return assignment.Workload.Kind switch
        {
            WorkloadKind.Insert or WorkloadKind.Bulk => new PointOperation(context, upsert: false),
            WorkloadKind.Upsert => new PointOperation(context, upsert: true),
            WorkloadKind.Batch => new BatchOperation(context, assignment.Workload.DocumentsPerOperation),
            WorkloadKind.Read => new ReadOperation(context),
            WorkloadKind.Delete => new DeleteOperation(context),
            WorkloadKind.Query => new QueryOperation(context, assignment.Workload.Query!, assignment.RunId),
            var kind => throw new ArgumentOutOfRangeException(nameof(assignment), kind, "No such workload."),
        };
    }

    public void Dispose() => _client.Dispose();

    private static async Task<double> ReadNothingAsync(Container container, string key, CancellationToken cancellationToken)
    {
        using var response = await container.ReadItemStreamAsync(key, new PartitionKey(key), cancellationToken: cancellationToken);
        if ((int)response.StatusCode is not 404 || ResponseReading.SubStatusOf(response) == SubStatus.OwnerMissing)
            response.EnsureSuccessStatusCode();
        return response.Headers.RequestCharge;
    }
}

/// <summary>A client with its connections open, as a worker uses it over all its legs.</summary>
internal interface IWarmClient : IDisposable
{
    /// <summary>Times of TCP connects to the account, ms.</summary>
    IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>RU of the warm-up, once: the leg that asks first takes them.</summary>
    double TakeWarmupRequestUnits();

    /// <summary>The physical partitions as they are now.</summary>
    Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken);

    /// <summary>An operation of the workload, for one operation loop.</summary>
    IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions);
}

/// <summary>A client of Table storage.</summary>
internal sealed class WarmTableClient : IWarmClient
{
    private readonly TableService _client;

    private WarmTableClient(TableService client, IReadOnlyList<double> roundTripMs) => (_client, RoundTripMs) = (client, roundTripMs);

    /// <inheritdoc/>
    public IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>Makes a client and opens its connections.</summary>
    /// <exception cref="AccountException">The table account cannot be used, or there is none.</exception>
    public static async Task<WarmTableClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken)
    {
        var tables = account.Tables ?? throw new AccountException(TableAccount.Missing);
        var settings = assignment.Client;
        var client = TableService.Create(tables, settings.MaxConnections);
        try
        {
            await WarmUp.ReadAsync(settings.Concurrency, async key =>
            {
                await client.ReadNothingAsync(assignment.Container.Name, key, cancellationToken);
                return 0;
            });
            return new WarmTableClient(client, await RoundTrip.MeasureAsync(tables.Endpoint, cancellationToken));
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public double TakeWarmupRequestUnits() => 0;

    /// <inheritdoc/>
    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) => Task.FromResult(PartitionRanges.Unknown);

    /// <inheritdoc/>
    public IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions) =>
        new TableBatchOperation(
            _client.TableOf(assignment.Container.Name),
            assignment.Container,
            new BatchedDocuments(documents, partitions, assignment.Workload.DocumentsPerOperation));

    public void Dispose() => _client.Dispose();
}

/// <summary>Opens the client that a workload needs, and its connections.</summary>
internal static class WarmUp
{
    /// <summary>Connections that are opened before the start; the client opens more when it needs them.</summary>
    private const int MaxReads = 50;

    /// <summary>Makes a client and opens its connections.</summary>
    /// <exception cref="CosmosException">The account cannot be used.</exception>
    /// <exception cref="AccountException">The account cannot be used, or there is none for the workload.</exception>
    public static async Task<IWarmClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken) =>
        assignment.Workload.Kind.UsesTables()
            ? await WarmTableClient.OpenAsync(account, assignment, cancellationToken)
            : await WarmClient.OpenAsync(account, assignment, cancellationToken);

    /// <summary>
    /// Reads that find nothing: they open the connections and compile the client's code without leaving a trace in the store.
    /// </summary>
    /// <param name="concurrency">Operations in flight of the worker.</param>
    /// <param name="read">Reads the document or row of a key that nothing has, and returns the RU of it.</param>
    /// <returns>The RU of all of them.</returns>
    public static async Task<double> ReadAsync(int concurrency, Func<string, Task<double>> read)
    {
        // The first alone, so that the others find the caches filled and a token there.
        var first = await read("warm-up-0");
        var others = Enumerable.Range(1, Math.Min(concurrency, MaxReads) - 1).Select(number => read($"warm-up-{number}"));
        return first + (await Task.WhenAll(others)).Sum();
    }
}
