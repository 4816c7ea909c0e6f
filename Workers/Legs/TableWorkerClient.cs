using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Legs;

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
