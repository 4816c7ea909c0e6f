using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Time to live, on an account whose clock the tests move on.</summary>
public sealed class TimeToLiveTests(TimeToLiveTests.MovableAccount fixture)
    : AccountTests<TimeToLiveTests.MovableAccount>(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Default_IsOver_DocumentIsGoneEverywhereAndItsIdFree(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "longer", ttl: 60);
        await WriteAsync(container, "always", ttl: -1);

        Fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        Fixture.Move(1);

        Assert.Equal(HttpStatusCode.NotFound, await ReadAsync(container, "1"));
        Assert.Equal(["always", "longer"], await IdsAsync(container, "SELECT * FROM c"));
        Assert.Equal(["2"], await IdsAsync(container, "SELECT VALUE COUNT(1) FROM c"));
        Assert.Equal(["always", "longer"], await IdsAsync(container, null));
        Assert.Equal(HttpStatusCode.NotFound, await DeleteAsync(container, "1"));
        await WriteAsync(container, "1", ttl: null);
        Fixture.Move(50);
        Assert.Equal(["always"], await IdsAsync(container, "SELECT * FROM c"));
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal((1L, 3L), (ledger.DocumentCount, ledger.Documents.Expired));
        Assert.Equal((4L, 0L), (ledger.Documents.Created, ledger.Documents.Deleted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task DefaultOff_OnlyDocumentsWithTheirOwnExpire(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: -1);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "2", ttl: 5);

        Fixture.Move(5);

        Assert.Equal(["1"], await IdsAsync(container, null));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task NoDefault_ItemsTtlIsIgnoredUntilTheContainerGetsOne(Mode mode)
    {
        Container container = await CreateAsync(mode, defaultTtl: null);
        await WriteAsync(container, "1", ttl: 5);
        await WriteAsync(container, "2", ttl: null);
        Fixture.Move(100);
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
        Fixture.Move(6);
        await container.PatchItemAsync<JObject>("1", Key, [PatchOperation.Set("/ttl", 20)], cancellationToken: Token);
        Fixture.Move(6);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        await container.ReplaceItemAsync(JObject.Parse("""{"id":"1","pk":"k"}"""), "1", Key, cancellationToken: Token);
        Fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        Fixture.Move(1);
        Assert.Equal(HttpStatusCode.NotFound, await ReadAsync(container, "1"));
    }

    [Fact]
    public async Task FailedTransactionAndSplit_KeepTheTime()
    {
        Container container = await CreateAsync(Mode.Gateway, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        Fixture.Move(5);
        using TransactionalBatchResponse failed = await container.CreateTransactionalBatch(Key)
            .UpsertItem(JObject.Parse("""{"id":"1","pk":"k","ttl":100}""")).ReadItem("none").ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        await SplitAsync(container, 0);
        await SplitAsync(container, 1);

        Assert.Equal(HttpStatusCode.OK, await ReadAsync(container, "1"));
        Fixture.Move(5);

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
        using HttpResponseMessage bad = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls",
            $$$"""{"id":"bad{{{Guid.NewGuid():N}}}","partitionKey":{"paths":["/pk"],"kind":"Hash"},"defaultTtl":{{{ttl}}}}""");

        using ResponseMessage item = await container.CreateItemStreamAsync(
            new MemoryStream(Encoding.UTF8.GetBytes($$"""{"id":"1","pk":"k","ttl":{{ttl}}}""")), Key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.BadRequest, bad.StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest, item.StatusCode);
        Assert.Contains("ttl", item.ErrorMessage, StringComparison.Ordinal);
    }

    private Task<Container> CreateAsync(Mode mode, int? defaultTtl) => CreateContainerAsync(
        mode, properties: new ContainerProperties { PartitionKeyPath = "/pk", DefaultTimeToLive = defaultTtl });

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
        found.AddRange((await pages.ReadAllAsync()).Select(one => one is JObject item ? (string)item["id"]! : one.ToString()));
        return [.. found.Order(StringComparer.Ordinal)];
    }

    /// <summary>An account on a clock that moves on only when a test moves it.</summary>
    public sealed class MovableAccount : AccountFixture
    {
        private readonly ManualTime _time;

        public MovableAccount()
            : this(new ManualTime(DateTimeOffset.UtcNow))
        {
        }

        private MovableAccount(ManualTime time)
            : base(new SimulatedAccountOptions { PhysicalPartitions = 2 }, time) => _time = time;

        public void Move(int seconds) => _time.Advance(TimeSpan.FromSeconds(seconds));
    }
}
