using Microsoft.Azure.Cosmos;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Operations;
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
