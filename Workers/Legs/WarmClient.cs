using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Operations;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Workers.Legs;

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

/// <summary>Opens the client that a workload needs.</summary>
internal static class WarmClients
{
    /// <summary>Makes a client and opens its connections.</summary>
    /// <exception cref="CosmosException">The account cannot be used.</exception>
    /// <exception cref="AccountException">The account cannot be used, or there is none for the workload.</exception>
    public static async Task<IWarmClient> OpenAsync(
        AccountConnection account, WorkerAssignment assignment, CancellationToken cancellationToken) =>
        assignment.Workload.Kind.UsesTables()
            ? await WarmTableClient.OpenAsync(account, assignment, cancellationToken)
            : await WarmClient.OpenAsync(account, assignment, cancellationToken);
}

/// <summary>A client of Cosmos DB.</summary>
internal sealed class WarmClient : IWarmClient
{
    /// <summary>Connections that are opened before the start in Gateway; the SDK opens more when it needs them.</summary>
    private const int MostWarmReads = 50;

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
            var requestUnits = await ReadNothingAsync(container, Math.Min(settings.Concurrency, MostWarmReads), cancellationToken);
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

    /// <summary>
    /// Reads that find nothing: they open the connections and compile the SDK's code without leaving a trace in the container.
    /// </summary>
    private static async Task<double> ReadNothingAsync(Container container, int reads, CancellationToken cancellationToken)
    {
        async Task<double> ReadAsync(int read)
        {
            var key = $"warm-up-{read}";
            using var response = await container.ReadItemStreamAsync(key, new PartitionKey(key), cancellationToken: cancellationToken);
            if ((int)response.StatusCode is not 404 || response.Headers["x-ms-substatus"] == OwnerMissing)
                response.EnsureSuccessStatusCode();
            return response.Headers.RequestCharge;
        }

        // The first alone, so that the others find the SDK's caches filled.
        var first = await ReadAsync(0);
        return first + (await Task.WhenAll(Enumerable.Range(1, reads - 1).Select(ReadAsync))).Sum();
    }

    private const string OwnerMissing = "1003";
}
