using Microsoft.Azure.Cosmos;

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
