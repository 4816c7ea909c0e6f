using Microsoft.Azure.Cosmos;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Workers.Legs;

/// <summary>A client with open connections, as a worker uses it over all its legs.</summary>
internal interface IWorkerClient : IDisposable
{
    /// <summary>Times of TCP connects to the account, ms.</summary>
    IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>RU charged for opening the connections. The leg that asks first gets them, later ones get 0.</summary>
    double TakeOpeningRequestUnits();

    /// <summary>The physical partitions as they are now.</summary>
    Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken);

    /// <summary>An operation of the workload, for one operation loop.</summary>
    IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions);
}

/// <summary>Makes the client that a workload needs, and opens its connections.</summary>
internal static class WorkerClients
{
    /// <summary>Connections that are opened before the start. The client opens more when it needs them.</summary>
    private const int MaxReads = 50;

    /// <exception cref="CosmosException">The account cannot be used.</exception>
    /// <exception cref="AccountException">The account cannot be used, or there is none for the workload.</exception>
    public static async Task<IWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken) =>
        assignment.Workload.Kind.UsesTables()
            ? await TableWorkerClient.OpenAsync(account, assignment, cancellationToken)
            : await CosmosWorkerClient.OpenAsync(account, assignment, cancellationToken);

    /// <summary>
    /// Opens connections by reads that find nothing. They also compile the client's code, and leave no trace in the store. Returns the RU
    /// of all reads.
    /// </summary>
    /// <param name="read">Reads the document or row of a key that does not exist, and returns its RU.</param>
    public static async Task<double> ReadAsync(int concurrency, Func<string, Task<double>> read)
    {
        // The first read is alone, so that the others find the caches filled and a token there.
        var first = await read("opening-0");
        var others = Enumerable.Range(1, Math.Min(concurrency, MaxReads) - 1).Select(number => read($"opening-{number}"));
        return first + (await Task.WhenAll(others)).Sum();
    }
}

/// <summary>A client of Cosmos DB.</summary>
internal sealed class CosmosWorkerClient : IWorkerClient
{
    private readonly CosmosClient _client;
    private readonly Container _container;
    private double _unclaimedRequestUnits;

    private CosmosWorkerClient(CosmosClient client, Container container, IReadOnlyList<double> roundTripMs, double requestUnits) =>
        (_client, _container, RoundTripMs, _unclaimedRequestUnits) = (client, container, roundTripMs, requestUnits);

    public IReadOnlyList<double> RoundTripMs { get; }

    public static async Task<CosmosWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken)
    {
        var (settings, target) = (assignment.Client, assignment.Container);
        var bulk = assignment.Workload.UsesBulk;
        var handler = assignment.Workload.HasQueries ? new QueryCallHandler() : null;
        var client = settings.ConnectionMode == ConnectionMode.Direct
            ? await CosmosClientFactory.CreateAndInitializeAsync(account, settings, bulk, target, cancellationToken, handler)
            : CosmosClientFactory.Create(account, settings, bulk, handler);
        try
        {
            var container = client.GetContainer(target.Database, target.Name);
            var requestUnits = await WorkerClients.ReadAsync(
                settings.Concurrency, key => ReadNothingAsync(container, key, cancellationToken));
            return new CosmosWorkerClient(
                client, container, await RoundTrip.MeasureAsync(account.Endpoint, cancellationToken), requestUnits);
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    public double TakeOpeningRequestUnits() => Interlocked.Exchange(ref _unclaimedRequestUnits, 0);

    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) =>
        PartitionRanges.ReadAsync(_container, cancellationToken);

    public IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions)
    {
        var context = new OperationContext(_container, documents, partitions, assignment.Client.ContentResponseOnWrite)
        {
            // An operation of a mix works on the document of its own number.
            Preload = assignment.Workload.Mix is null ? assignment.Preload : long.MaxValue,
            WrittenInBatchesOf = assignment.Workload.OfRun is null ? null : assignment.Workload.BatchSize,
        };
        return assignment.Workload.Mix is { } mix
            ? new MixedOperation(mix, kind => Create(kind, context, assignment))
            : Create(assignment.Workload.Kind, context, assignment);
    }

    private static IWorkloadOperation Create(WorkloadKind kind, OperationContext context, WorkerAssignment assignment) => kind switch
    {
        WorkloadKind.Insert or WorkloadKind.Bulk => new PointOperation(context, upsert: false),
        WorkloadKind.Upsert => new PointOperation(context, upsert: true),
        WorkloadKind.Batch => new BatchOperation(context, assignment.Workload.DocumentsPerOperation),
        WorkloadKind.Patch => new PatchDocumentOperation(context),
        WorkloadKind.Read => new ReadOperation(context),
        WorkloadKind.Delete => new DeleteOperation(context),
        WorkloadKind.Query => new QueryOperation(context, assignment.Workload.Query!, assignment.RunId),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "No such workload."),
    };

    public void Dispose() => _client.Dispose();

    private static async Task<double> ReadNothingAsync(Container container, string key, CancellationToken cancellationToken)
    {
        using var response = await container.ReadItemStreamAsync(key, new PartitionKey(key), cancellationToken: cancellationToken);
        if ((int)response.StatusCode is not 404 || ResponseReading.SubStatusOf(response.Headers) == SubStatus.OwnerMissing)
            response.EnsureSuccessStatusCode();
        return response.Headers.RequestCharge;
    }
}

/// <summary>A client of Table storage.</summary>
internal sealed class TableWorkerClient : IWorkerClient
{
    private readonly TableService _client;

    private TableWorkerClient(TableService client, IReadOnlyList<double> roundTripMs) => (_client, RoundTripMs) = (client, roundTripMs);

    public IReadOnlyList<double> RoundTripMs { get; }

    public static async Task<TableWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken)
    {
        var tables = account.Tables ?? throw new AccountException(TableAccount.Missing);
        var settings = assignment.Client;
        var client = TableService.Create(tables, settings.MaxConnections);
        try
        {
            await WorkerClients.ReadAsync(settings.Concurrency, async key =>
            {
                await client.ReadNothingAsync(assignment.Container.Name, key, cancellationToken);
                return 0;
            });
            return new TableWorkerClient(client, await RoundTrip.MeasureAsync(tables.Endpoint, cancellationToken));
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    public double TakeOpeningRequestUnits() => 0;

    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) => Task.FromResult(PartitionRanges.Unknown);

    public IWorkloadOperation CreateOperation(WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions) =>
        new TableBatchOperation(
            _client.TableOf(assignment.Container.Name),
            assignment.Container,
            new BatchedDocuments(documents, partitions, assignment.Workload.DocumentsPerOperation));

    public void Dispose() => _client.Dispose();
}
