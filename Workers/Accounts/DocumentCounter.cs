using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts;

/// <summary>Asks a container how many documents it holds.</summary>
/// <param name="client">A client that waits out 429.</param>
internal sealed class DocumentCounter(CosmosClient client)
{
    private const int MaxReadings = 20;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    /// <summary>One reading, over all partitions.</summary>
    public async Task<long> CountAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var options = new QueryRequestOptions
        {
            MaxConcurrency = -1,
            // A container without an index is counted by scanning it.
            EnableScanInQuery = true,
            // A container of one partition runs the query as it is, page by page: each page would be a count of its own.
            EnableOptimisticDirectExecution = false,
        };
        using var pages = client.GetContainer(target.Database, target.Name)
            .GetItemQueryIterator<long>(new QueryDefinition("SELECT VALUE COUNT(1) FROM c"), requestOptions: options);
        var count = 0L;
        while (pages.HasMoreResults)
            count += (await pages.ReadNextAsync(cancellationToken)).Sum();
        return count;
    }

    /// <summary>
    /// A reading that no lagging replica or index can have falsified: where the account reads from a quorum one is enough, elsewhere two in
    /// a row must agree.
    /// </summary>
    public async Task<long> CountSettledAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var account = await client.ReadAccountAsync().WaitAsync(cancellationToken);
        var count = await CountAsync(target, cancellationToken);
        if (ConsistencyCheck.LevelOf(account).AsksTwoReplicas())
            return count;

        for (var reading = 1; reading < MaxReadings; reading++)
        {
            await Task.Delay(Pause, cancellationToken);
            var again = await CountAsync(target, cancellationToken);
            if (again == count)
                break;
            count = again;
        }

        return count;
    }
}
