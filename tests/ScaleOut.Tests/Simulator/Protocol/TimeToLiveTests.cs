using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Time to live, on an account whose clock the tests move on.</summary>
public sealed class TimeToLiveTests(TimeToLiveTests.MovableAccount fixture) : IClassFixture<TimeToLiveTests.MovableAccount>
{
    private static readonly PartitionKey Key = new("k");

    public static TheoryData<Mode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task Default_IsOver_DocumentIsGoneEverywhereAndItsIdFree(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "longer", ttl: 60);
        await WriteAsync(container, "always", ttl: -1);

        fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        fixture.Move(1);

        Assert.Equal(HttpStatusCode.NotFound, await ReadAsync(container, "1"));
        Assert.Equal(["always", "longer"], await IdsAsync(container, "SELECT * FROM c"));
        Assert.Equal(["2"], await IdsAsync(container, "SELECT VALUE COUNT(1) FROM c"));
        Assert.Equal(["always", "longer"], await IdsAsync(container, null));
        Assert.Equal(HttpStatusCode.NotFound, await DeleteAsync(container, "1"));
        await WriteAsync(container, "1", ttl: null);
        fixture.Move(50);
        Assert.Equal(["always"], await IdsAsync(container, "SELECT * FROM c"));
        ContainerLedger ledger = fixture.Account.ReadLedger().Containers.Single(one => one.Name == container.Id);
        Assert.Equal((1L, 3L), (ledger.DocumentCount, ledger.Documents.Expired));
        Assert.Equal((4L, 0L), (ledger.Documents.Created, ledger.Documents.Deleted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task DefaultOff_OnlyDocumentsWithTheirOwnExpire(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: -1);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "2", ttl: 5);

        fixture.Move(5);

        Assert.Equal(["1"], await IdsAsync(container, null));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task NoDefault_ItemsTtlIsIgnoredUntilTheContainerGetsOne(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: null);
        await WriteAsync(container, "1", ttl: 5);
        await WriteAsync(container, "2", ttl: null);
        fixture.Move(100);
        Assert.Equal(["1", "2"], await IdsAsync(container, null));

        ContainerProperties properties = (await container.ReadContainerAsync(cancellationToken: Token)).Resource;
        properties.DefaultTimeToLive = -1;
        ContainerProperties replaced = (await container.ReplaceContainerAsync(properties, cancellationToken: Token)).Resource;

        Assert.Equal(-1, replaced.DefaultTimeToLive);
        Assert.Equal(["2"], await IdsAsync(container, null));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_BeginsTheTimeAgain(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        fixture.Move(6);
        await container.PatchItemAsync<JObject>("1", Key, [PatchOperation.Set("/ttl", 20)], cancellationToken: Token);
        fixture.Move(6);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        await container.ReplaceItemAsync(JObject.Parse("""{"id":"1","pk":"k"}"""), "1", Key, cancellationToken: Token);
        fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        fixture.Move(1);
        Assert.Equal(HttpStatusCode.NotFound, await ReadAsync(container, "1"));
    }

    [Fact]
    public async Task FailedTransactionAndSplit_KeepTheTime()
    {
        Container container = await CreateAsync(Mode.Gateway, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        fixture.Move(5);
        using TransactionalBatchResponse failed = await container.CreateTransactionalBatch(Key)
            .UpsertItem(JObject.Parse("""{"id":"1","pk":"k","ttl":100}""")).ReadItem("none").ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        await AccountClients.SplitAsync(fixture.Account, container, 0);
        await AccountClients.SplitAsync(fixture.Account, container, 1);

        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        fixture.Move(5);

        Assert.Equal(HttpStatusCode.NotFound, await ReadAsync(container, "1"));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-2")]
    [InlineData("1.5")]
    [InlineData("\"10\"")]
    [InlineData("2147483648")]
    public async Task BadTtl_OfItemOrContainer_Is400(string ttl)
    {
        Container container = await CreateAsync(Mode.Gateway, defaultTtl: -1);
        using var wire = new WireClient(fixture.Account);
        using HttpResponseMessage bad = await wire.SendAsync(
            HttpMethod.Post, "dbs/tests/colls",
            $$$"""{"id":"bad{{{Guid.NewGuid():N}}}","partitionKey":{"paths":["/pk"],"kind":"Hash"},"defaultTtl":{{{ttl}}}}""");

        using ResponseMessage item = await container.CreateItemStreamAsync(
            new MemoryStream(Encoding.UTF8.GetBytes($$"""{"id":"1","pk":"k","ttl":{{ttl}}}""")), Key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.BadRequest, bad.StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest, item.StatusCode);
        Assert.Contains("ttl", item.ErrorMessage, StringComparison.Ordinal);
    }

    private Task<Container> CreateAsync(Mode mode, int? defaultTtl) => AccountClients.CreateContainerAsync(
        fixture.Client(mode), properties: new ContainerProperties { PartitionKeyPath = "/pk", DefaultTimeToLive = defaultTtl });

    private static async Task WriteAsync(Container container, string id, int? ttl)
    {
        var item = JObject.FromObject(new { id, pk = "k" });
        if (ttl is { } seconds)
            item["ttl"] = seconds;
        await container.CreateItemAsync(item, Key, cancellationToken: Token);
    }

    private static async Task<HttpStatusCode> ReadAsync(Container container, string id)
    {
        using ResponseMessage response = await container.ReadItemStreamAsync(id, Key, cancellationToken: Token);
        return response.StatusCode;
    }

    private static async Task<HttpStatusCode> DeleteAsync(Container container, string id)
    {
        using ResponseMessage response = await container.DeleteItemStreamAsync(id, Key, cancellationToken: Token);
        return response.StatusCode;
    }

    /// <summary>The ids, or values, that a query returns, or the read feed when it is null.</summary>
    private static async Task<string[]> IdsAsync(Container container, string? query)
    {
        using FeedIterator<JToken> pages = container.GetItemQueryIterator<JToken>(query);
        var found = new List<string>();
        while (pages.HasMoreResults)
            found.AddRange((await pages.ReadNextAsync(Token)).Select(one => one is JObject item ? (string)item["id"]! : one.ToString()));
        return [.. found.Order(StringComparer.Ordinal)];
    }

    /// <summary>An account on a clock that moves on only when a test moves it.</summary>
    public sealed class MovableAccount : IAsyncLifetime
    {
        private readonly ManualTime _time = new(DateTimeOffset.UtcNow);
        private readonly Dictionary<Mode, CosmosClient> _clients = [];

        public SimulatedAccount Account { get; private set; } = null!;

        public CosmosClient Client(Mode mode)
        {
            lock (_clients)
            {
                if (!_clients.TryGetValue(mode, out CosmosClient? client))
                    _clients[mode] = client = AccountClients.Create(Account, mode);
                return client;
            }
        }

        public void Move(int seconds) => _time.Advance(TimeSpan.FromSeconds(seconds));

        public async ValueTask InitializeAsync() => Account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 2 }, _time, Token);

        public async ValueTask DisposeAsync()
        {
            foreach (CosmosClient client in _clients.Values)
                client.Dispose();
            await Account.DisposeAsync();
        }
    }
}
