using Microsoft.Azure.Cosmos;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;

namespace ScaleOut.Workers.Legs;

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
        if (assignment.Workload.Mix is not { } mix)
            return () => Create(assignment.Workload.Kind, context, assignment);
        // Each document of a mix is deleted once, by the operation of its own number.
        var ofDeletes = context with { DocumentOf = number => number };
        return () => new MixedOperation(mix, kind => Create(kind, kind == WorkloadKind.Delete ? ofDeletes : context, assignment));
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
