using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

/// <summary>
/// A simulated account with a container of three physical partitions, and the real SDK. All tests of a class share it, each with document
/// numbers of its own.
/// </summary>
public sealed class OperationAccount() : AccountFixture(new AccountSettings { PhysicalPartitions = 3 })
{
    private CosmosClient _client = null!;

    internal OperationContext Context { get; private set; } = null!;

    internal Container Container => Context.Container;

    /// <summary>RU of all queries so far, by the account's ledger.</summary>
    internal double QueriesCharged => Account.ReadLedger().Operations.Query.RequestUnits.Value;

    public override async ValueTask InitializeAsync()
    {
        await base.InitializeAsync();
        var settings = new ClientSettings { ConnectionMode = ScaleOut.Specs.ConnectionMode.Gateway, Concurrency = 1 };
        _client = CosmosClientFactory.Create(Account.Connection(), settings, bulk: false, new QueryCallHandler());
        var container = await AccountClients.CreateContainerAsync(_client, 30_000, AccountClients.Keyed("/PartitionKey"));
        Context = new OperationContext(
            container,
            new PerfTestDocuments("operations", keyIsId: false),
            await PartitionRanges.ReadAsync(container, CancellationToken.None),
            ContentResponseOnWrite: false);
    }

    public override async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await base.DisposeAsync();
    }

    /// <summary>Reads all pages of a prepared query.</summary>
    internal static async Task<IReadOnlyList<AttemptResponse>> ReadAllAsync(QueryOperation operation)
    {
        var responses = new List<AttemptResponse>();
        do
            responses.Add(await operation.TryAsync());
        while (responses[^1].Kind == AttemptKind.Continued);
        return responses;
    }

    /// <summary>Prepares a document and tries once.</summary>
    internal static Task<AttemptResponse> TryAsync(IWorkloadOperation operation, long number)
    {
        operation.Prepare(number, 1);
        return operation.TryAsync();
    }

    /// <summary>Creates documents.</summary>
    internal async Task CreateAsync(long first, int count)
    {
        using var create = new PointOperation(Context, upsert: false);
        for (var number = first; number < first + count; number++)
            Assert.Equal(AttemptKind.Succeeded, (await TryAsync(create, number)).Kind);
    }

    /// <summary>A document as it is stored; null if it is not there.</summary>
    /// <param name="batchSize">Null for a document that was written alone.</param>
    internal async Task<JsonObject?> ReadAsync(long number, int? batchSize = null)
    {
        var (id, key, _) = (Context with { WrittenInBatchesOf = batchSize }).ExistingOf(number);
        using var response = await Container.ReadItemStreamAsync(id, key);
        Assert.Contains(response.StatusCode, new[] { HttpStatusCode.OK, HttpStatusCode.NotFound });
        return response.IsSuccessStatusCode ? JsonNode.Parse(response.Content)!.AsObject() : null;
    }
}

internal static class OperationAttempts
{
    /// <summary>Sends a prepared operation once and reads its outcome, as an operation loop does.</summary>
    public static async Task<AttemptResponse> TryAsync(this IWorkloadOperation operation)
    {
        await operation.SendAsync().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return operation.Read();
    }
}
