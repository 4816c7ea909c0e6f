using System.Diagnostics;
using System.Text.Json;
using Microsoft.Azure.Cosmos;
using ScaleOut.Charges;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Operations;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;

namespace ScaleOut.Workers.Calibration;

/// <summary>One call of the SDK, as a calibration sees it.</summary>
/// <param name="Response">What came of it.</param>
/// <param name="Ms">From the call to its response.</param>
/// <param name="At">When it was called, UTC in seconds since 1970.</param>
internal readonly record struct CalibrationCall(AttemptResponse Response, double Ms, double At)
{
    public bool Succeeded => Response.Kind == AttemptKind.Succeeded;

    public bool Throttled => Response.Kind == AttemptKind.Throttled;
}

/// <summary>The unmodified SDK on one container, in one mode and without retries of 429s; every call is timed and paid for.</summary>
internal sealed class CalibrationClient : IDisposable
{
    /// <summary>The clock of all calls: the wall clock read once, and a monotonic clock from then on.</summary>
    private static readonly (long Timestamp, double Utc) Start =
        (Stopwatch.GetTimestamp(), DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() / 1_000.0);

    private static readonly ItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };
    private static readonly PatchItemRequestOptions PatchOptions = new() { EnableContentResponseOnWrite = false };

    private static readonly double SmallCreate = 2 * ChargeModel.Documented.Create(ChargePhase.SmallBytes, 0);
    private static readonly double SmallRead = 2 * ChargeModel.Documented.Read(ChargePhase.SmallBytes);

    private readonly CosmosClient _client;
    private readonly Container _container;
    private readonly CostMeter _cost;

    private CalibrationClient(CosmosClient client, Container container, CostMeter cost) =>
        (_client, _container, _cost) = (client, container, cost);

    /// <summary>Connects and opens what connections there are to open.</summary>
    /// <param name="account">The account.</param>
    /// <param name="mode">The client's.</param>
    /// <param name="consistency">Of reads; null for the account's.</param>
    /// <param name="target">The container.</param>
    /// <param name="cost">Pays for the calls.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    public static async Task<CalibrationClient> CreateAsync(
        AccountConnection account, ConnectionMode mode, ConsistencyLevel? consistency, ContainerTarget target, CostMeter cost,
        CancellationToken cancellationToken)
    {
        var settings = new ClientSettings { ConnectionMode = mode, Concurrency = 1, Consistency = consistency };
        var client = mode == ConnectionMode.Direct
            ? await CosmosClientFactory.CreateAndInitializeAsync(account, settings, bulk: false, target, cancellationToken)
            : CosmosClientFactory.Create(account, settings, bulk: false);
        return new CalibrationClient(client, client.GetContainer(target.Database, target.Name), cost);
    }

    /// <summary>UTC in seconds since 1970.</summary>
    public static double Now() => Start.Utc + Stopwatch.GetElapsedTime(Start.Timestamp).TotalSeconds;

    public async Task<int> CountPartitionsAsync(CancellationToken cancellationToken) =>
        (await _container.GetFeedRangesAsync(cancellationToken)).Count;

    public Task<CalibrationCall?> CreateAsync(string id, string key, int bytes, int terms, double expected)
    {
        var body = CalibrationDocument.Write(id, key, bytes, terms);
        return CallAsync(expected, () => _container.CreateItemStreamAsync(new MemoryStream(body), new PartitionKey(key), NoContent));
    }

    /// <summary>Creates a document of whose charge and latency size is no part.</summary>
    public Task<CalibrationCall?> CreateSmallAsync(string id, string key) => CreateAsync(id, key, ChargePhase.SmallBytes, 0, SmallCreate);

    /// <summary>Reads such a document whose id is its key.</summary>
    public Task<CalibrationCall?> ReadSmallAsync(string id) => ReadAsync(id, id, SmallRead);

    /// <summary>Creates a document to read, however long that is throttled.</summary>
    /// <returns>False when it was not created because of its cost.</returns>
    public async Task<bool> PreloadAsync(string id, CancellationToken cancellationToken)
    {
        while (await CreateSmallAsync(id, id) is { } call)
        {
            if (!call.Throttled)
                return true;
            await Task.Delay(call.Response.RetryAfter + TimeSpan.FromMilliseconds(1), cancellationToken);
        }

        return false;
    }

    public Task<CalibrationCall?> ReplaceAsync(string id, string key, int bytes, int terms, int digit, double expected)
    {
        var body = CalibrationDocument.Write(id, key, bytes, terms, digit);
        return CallAsync(expected, () => _container.ReplaceItemStreamAsync(new MemoryStream(body), id, new PartitionKey(key), NoContent));
    }

    public Task<CalibrationCall?> ReadAsync(string id, string key, double expected) =>
        CallAsync(expected, () => _container.ReadItemStreamAsync(id, new PartitionKey(key)));

    public Task<CalibrationCall?> DeleteAsync(string id, string key, double expected) =>
        CallAsync(expected, () => _container.DeleteItemStreamAsync(id, new PartitionKey(key), NoContent));

    /// <summary>Sets the first terms of a document to a digit.</summary>
    public Task<CalibrationCall?> PatchAsync(string id, string key, int terms, int digit, double expected) => CallAsync(
        expected,
        () => _container.PatchItemStreamAsync(
            id, new PartitionKey(key),
            [.. Enumerable.Range(0, terms).Select(term => PatchOperation.Replace("/" + CalibrationDocument.Term(term), digit))],
            PatchOptions));

    /// <summary>A batch of creates without index entries.</summary>
    public Task<CalibrationCall?> BatchAsync(IReadOnlyList<string> ids, string key, int bytes, double expected) =>
        TimedAsync(expected, async () =>
        {
            var batch = _container.CreateTransactionalBatch(new PartitionKey(key));
            foreach (var id in ids)
                batch.CreateItemStream(new MemoryStream(CalibrationDocument.Write(id, key, bytes, terms: 0)));
            using var response = await batch.ExecuteAsync();
            return new AttemptResponse(
                KindOf((int)response.StatusCode, 0), (int)response.StatusCode, 0, response.RequestCharge,
                response.RetryAfter ?? default, response.ErrorMessage);
        });

    /// <summary>The first page of a query of one partition key, and how many documents are on it.</summary>
    public async Task<(CalibrationCall? Call, int Returned)> QueryAsync(string text, string key, double expected)
    {
        var returned = 0;
        var call = await TimedAsync(expected, async () =>
        {
            using var pages = _container.GetItemQueryStreamIterator(
                new QueryDefinition(text), requestOptions: new QueryRequestOptions { PartitionKey = new PartitionKey(key) });
            using var page = await pages.ReadNextAsync();
            if (page.IsSuccessStatusCode)
            {
                using var json = await JsonDocument.ParseAsync(page.Content);
                returned = json.RootElement.GetProperty("Documents").GetArrayLength();
            }

            return ResponseReading.From(page, KindOf);
        });
        return (call, returned);
    }

    public void Dispose() => _client.Dispose();

    private static AttemptKind KindOf(int status, int subStatus) =>
        status is >= 200 and < 300 ? AttemptKind.Succeeded : ResponseReading.KindOf(status, subStatus);

    private Task<CalibrationCall?> CallAsync(double expected, Func<Task<ResponseMessage>> callAsync) => TimedAsync(expected, async () =>
    {
        using var response = await callAsync();
        return ResponseReading.From(response, KindOf);
    });

    /// <summary>Null when it was not called because of its cost.</summary>
    private async Task<CalibrationCall?> TimedAsync(double expected, Func<Task<AttemptResponse>> callAsync)
    {
        if (!_cost.TryBegin(expected))
            return null;
        var charged = 0.0;
        try
        {
            var (at, started) = (Now(), Stopwatch.GetTimestamp());
            AttemptResponse response;
            try
            {
                response = await callAsync();
            }
            catch (Exception e) when (ResponseReading.From(e) is { } error)
            {
                response = error;
            }

            charged = response.RequestUnits;
            return new CalibrationCall(response, Stopwatch.GetElapsedTime(started).TotalMilliseconds, at);
        }
        finally
        {
            _cost.Settle(expected, charged);
        }
    }
}
