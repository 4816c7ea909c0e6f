using ScaleOut.Orchestration;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;
using ScaleOut.Workers.Tables;

namespace ScaleOut.Workers.Legs;

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
