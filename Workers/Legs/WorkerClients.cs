using Microsoft.Azure.Cosmos;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Workers.Legs;

/// <summary>A client with open connections, which a worker uses for all of its legs.</summary>
internal interface IWorkerClient : IDisposable
{
    /// <summary>Times of TCP connects to the account, ms.</summary>
    IReadOnlyList<double> RoundTripMs { get; }

    /// <summary>Its open connections.</summary>
    AccountConnections Connections { get; }

    /// <summary>The cost of opening the connections. The first call returns it; later calls return zero.</summary>
    OpeningCost TakeOpeningCost();

    /// <summary>The physical partitions as they are now.</summary>
    Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken);

    /// <summary>Makes the operations of a leg, one for each operation loop.</summary>
    /// <param name="next">Lowest document number of the slice that is not done.</param>
    Func<IWorkloadOperation> OperationsFor(
        WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions, Func<long> next);
}

/// <summary>The cost of the reads that open connections. No other figure of a leg includes it.</summary>
/// <param name="ThrottledReads">Reads that got a 429. Each was repeated.</param>
internal sealed record OpeningCost(RequestUnits Charged, long ThrottledReads)
{
    public static readonly OpeningCost None = new(RequestUnits.Zero, 0);
}

/// <summary>Makes the client that a workload needs, and opens its connections.</summary>
internal static class WorkerClients
{
    /// <summary>Connections that are opened before the start. The client opens more when it needs them.</summary>
    private const int MaxReads = 50;

    /// <summary>Long enough to open a connection to a container whose RU/s are used up by other traffic.</summary>
    private static readonly TransientRetry Opening = new(TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(0.1))
    {
        MaxPause = TimeSpan.FromSeconds(1),
    };

    /// <param name="onRetry">Receives errors that go on for seconds and are retried.</param>
    /// <exception cref="CosmosException">The account cannot be used.</exception>
    /// <exception cref="AccountException">The account cannot be used, or there is none for the workload.</exception>
    public static async Task<IWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, Func<Exception, Task> onRetry, CancellationToken cancellationToken) =>
        assignment.Workload.Kind.UsesTables()
            ? await TableWorkerClient.OpenAsync(account, assignment, onRetry, cancellationToken)
            : await CosmosWorkerClient.OpenAsync(account, assignment, onRetry, cancellationToken);

    /// <summary>
    /// Opens connections with reads of documents that do not exist. The reads also JIT-compile the client's code, and do not change the
    /// store. Each read is retried until it succeeds, because under live traffic a few of many reads always fail.
    /// </summary>
    /// <param name="read">Reads the document or row of a key that does not exist, and returns its charge.</param>
    /// <param name="onRetry">Receives errors that go on for seconds and are retried.</param>
    public static async Task<OpeningCost> ReadAsync(
        int concurrency, Func<string, Task<RequestUnits>> read, Func<Exception, Task> onRetry, CancellationToken cancellationToken)
    {
        var (cost, gate) = (OpeningCost.None, new Lock());
        // The first read runs alone, so that the others find the caches filled and a token acquired.
        await UntilItSucceedsAsync(0);
        await Task.WhenAll(Enumerable.Range(1, Math.Min(concurrency, MaxReads) - 1).Select(UntilItSucceedsAsync));
        return cost;

        Task<bool> UntilItSucceedsAsync(int number) => Opening.RunAsync(
            async _ =>
            {
                try
                {
                    Add(await read($"opening-{number}"), throttled: 0);
                    return true;
                }
                catch (CosmosException e) when (e.StatusCode == HttpStatusCode.TooManyRequests)
                {
                    Add(ResponseReading.ChargeOf(e.RequestCharge), throttled: 1);
                    throw;
                }
            },
            cancellationToken, onRetry: onRetry);

        void Add(RequestUnits charge, int throttled)
        {
            lock (gate)
                cost = new OpeningCost(cost.Charged + charge, cost.ThrottledReads + throttled);
        }
    }
}

/// <summary>A client of Cosmos DB.</summary>
internal sealed class CosmosWorkerClient : IWorkerClient
{
    private readonly CosmosClient _client;
    private readonly Container _container;
    private OpeningCost _unclaimed;

    private CosmosWorkerClient(CosmosClient client, Container container, OpeningCost opening) =>
        (_client, _container, _unclaimed) = (client, container, opening);

    public required IReadOnlyList<double> RoundTripMs { get; init; }

    public required AccountConnections Connections { get; init; }

    public static async Task<CosmosWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, Func<Exception, Task> onRetry, CancellationToken cancellationToken)
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
            var opening = await WorkerClients.ReadAsync(
                settings.Concurrency,
                key => ReadNothingAsync(container, key, target.KeyPaths.Count, account.Endpoint, cancellationToken),
                onRetry, cancellationToken);
            return new CosmosWorkerClient(client, container, opening)
            {
                RoundTripMs = await RoundTrip.MeasureAsync(account.Endpoint, cancellationToken),
                Connections = await AccountConnections.ToAsync(
                    account.Endpoint, settings.ConnectionMode == ConnectionMode.Direct, settings.PreferredRegion, cancellationToken),
            };
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    public OpeningCost TakeOpeningCost() => Interlocked.Exchange(ref _unclaimed, OpeningCost.None);

    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) =>
        PartitionRanges.ReadAsync(_container, cancellationToken);

    public Func<IWorkloadOperation> OperationsFor(
        WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions, Func<long> next)
    {
        var context = new OperationContext(_container, documents, partitions, assignment.Client.ContentResponseOnWrite)
        {
            DocumentOf = DocumentChoice.Create(assignment, next),
            WrittenInBatchesOf = assignment.Workload.OfRun is null ? null : assignment.Workload.BatchSize,
        };
        if (assignment.Workload.Action is { } steps)
            return () => new ActionOperation(steps, assignment.FirstWritten, kind => Create(kind, context, assignment));
        // Each document of a mix is deleted once, by the operation of its own number.
        var ofDeletes = context with { DocumentOf = number => number };
        return assignment.Workload.Mix is { } mix
            ? () => new MixedOperation(mix, kind => Create(kind, kind == WorkloadKind.Delete ? ofDeletes : context, assignment))
            : () => Create(assignment.Workload.Kind, context, assignment);
    }

    private static IWorkloadOperation Create(WorkloadKind kind, OperationContext context, WorkerAssignment assignment) => kind switch
    {
        WorkloadKind.Insert or WorkloadKind.Bulk => new PointOperation(context, upsert: false),
        WorkloadKind.Upsert => new PointOperation(context, upsert: true),
        WorkloadKind.Batch => new BatchOperation(context, assignment.Workload.DocumentsPerOperation),
        WorkloadKind.Patch => new PatchDocumentOperation(context),
        WorkloadKind.Replace => new ReplaceOperation(context, assignment.Workload.MatchEtag),
        WorkloadKind.Read => new ReadOperation(context),
        WorkloadKind.Delete => new DeleteOperation(context),
        WorkloadKind.Query => new QueryOperation(context, assignment.Workload.Query!, assignment.RunId),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "No such workload."),
    };

    public void Dispose() => _client.Dispose();

    /// <param name="levels">Number of values of the container's partition key.</param>
    private static async Task<RequestUnits> ReadNothingAsync(
        Container container, string key, int levels, Uri endpoint, CancellationToken cancellationToken)
    {
        var partitionKey = OperationContext.KeyFrom([.. Enumerable.Repeat(key, levels)]);
        using var response = await container.ReadItemStreamAsync(key, partitionKey, cancellationToken: cancellationToken);
        // A server other than Azure's may fail at a document that is not there, over a connection that is open.
        var isOpen = (int)response.StatusCode is 404 || ((int)response.StatusCode is 500 && !AzureEndpoints.Contains(endpoint));
        if (!isOpen || ResponseReading.SubStatusOf(response.Headers) == SubStatus.OwnerMissing)
            response.EnsureSuccessStatusCode();
        return ResponseReading.ChargeOf(response.Headers.RequestCharge);
    }
}

/// <summary>A client of Table storage.</summary>
internal sealed class TableWorkerClient : IWorkerClient
{
    private readonly TableService _client;

    private TableWorkerClient(TableService client) => _client = client;

    public required IReadOnlyList<double> RoundTripMs { get; init; }

    public required AccountConnections Connections { get; init; }

    public static async Task<TableWorkerClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, Func<Exception, Task> onRetry, CancellationToken cancellationToken)
    {
        var tables = account.Tables ?? throw new AccountException(TableAccount.Missing);
        var settings = assignment.Client;
        var client = TableService.Create(tables, settings.MaxConnections);
        try
        {
            await WorkerClients.ReadAsync(
                settings.Concurrency,
                async key =>
                {
                    await client.ReadNothingAsync(assignment.Container.Name, key, cancellationToken);
                    return RequestUnits.Zero;
                },
                onRetry,
                cancellationToken);
            return new TableWorkerClient(client)
            {
                RoundTripMs = await RoundTrip.MeasureAsync(tables.Endpoint, cancellationToken),
                Connections = await AccountConnections.ToAsync(tables.Endpoint, direct: false, region: null, cancellationToken),
            };
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    public OpeningCost TakeOpeningCost() => OpeningCost.None;

    public Task<PartitionRanges> ReadPartitionsAsync(CancellationToken cancellationToken) => Task.FromResult(PartitionRanges.Unknown);

    public Func<IWorkloadOperation> OperationsFor(
        WorkerAssignment assignment, IDocumentSource documents, PartitionRanges partitions, Func<long> next) =>
        () => new TableBatchOperation(
            _client.TableOf(assignment.Container.Name),
            assignment.Container,
            new BatchedDocuments(documents, partitions, assignment.Workload.DocumentsPerOperation));

    public void Dispose() => _client.Dispose();
}
