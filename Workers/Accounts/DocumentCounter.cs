using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts;

/// <summary>Counts the documents of a container.</summary>
/// <param name="client">A client that waits out 429.</param>
/// <param name="time">Null for the system's clock.</param>
internal sealed class DocumentCounter(CosmosClient client, TimeProvider? time = null)
{
    /// <summary>How often <see cref="CountSettledAsync"/> counts at most.</summary>
    private const int MaxCounts = 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Counts once, over all partitions: by a query, or by reading all documents where a server other than Azure's rejects that query.
    /// </summary>
    public async Task<long> CountAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        try
        {
            return await CountByQueryAsync(target, cancellationToken);
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.BadRequest && !AzureEndpoints.Contains(client.Endpoint))
        {
            // A server of another kind may have no query plans.
            try
            {
                return await CountByReadingAsync(target, cancellationToken);
            }
            catch (CosmosException)
            {
                // The first error says more.
                ExceptionDispatchInfo.Throw(e);
                throw;
            }
        }
    }

    private async Task<long> CountByQueryAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var options = new QueryRequestOptions
        {
            MaxConcurrency = -1,
            // For a container without an index.
            EnableScanInQuery = true,
            // Otherwise a container of one partition would return a count per page.
            EnableOptimisticDirectExecution = false,
        };
        using var pages = client.GetContainer(target.Database, target.Name)
            .GetItemQueryIterator<long>(new QueryDefinition("SELECT VALUE COUNT(1) FROM c"), requestOptions: options);
        var count = 0L;
        while (pages.HasMoreResults)
            count += (await pages.ReadNextAsync(cancellationToken)).Sum();
        return count;
    }

    private async Task<long> CountByReadingAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var container = client.GetContainer(target.Database, target.Name);
        var count = 0L;
        foreach (var range in await container.GetFeedRangesAsync(cancellationToken))
        {
            using var pages = container.GetItemQueryStreamIterator(range, queryDefinition: null, continuationToken: null);
            while (pages.HasMoreResults)
            {
                using var page = await pages.ReadNextAsync(cancellationToken);
                page.EnsureSuccessStatusCode();
                using var body = await JsonDocument.ParseAsync(page.Content, cancellationToken: cancellationToken);
                count += body.RootElement.GetProperty("Documents").GetArrayLength();
            }
        }

        return count;
    }

    /// <summary>
    /// Counts, and waits until a lagging replica or index no longer changes the result. If the account reads from a quorum, one count is
    /// enough. Otherwise two counts in a row must agree; after <see cref="MaxCounts"/> the last one is returned.
    /// </summary>
    public async Task<long> CountSettledAsync(ContainerTarget target, CancellationToken cancellationToken)
    {
        var account = await client.ReadAccountAsync().WaitAsync(cancellationToken);
        var count = await CountAsync(target, cancellationToken);
        if (ConsistencyCheck.LevelOf(account).AsksTwoReplicas())
            return count;

        for (var counts = 1; counts < MaxCounts; counts++)
        {
            await Task.Delay(Pause, time ?? TimeProvider.System, cancellationToken);
            var again = await CountAsync(target, cancellationToken);
            if (again == count)
                break;
            count = again;
        }

        return count;
    }
}
