using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Time to live, with a clock that the tests move.</summary>
public sealed class TimeToLiveTests(TimeToLiveTests.MovableAccount fixture) : AccountTests<TimeToLiveTests.MovableAccount>(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Document_OlderThanTheDefault_IsGoneAndItsIdIsFree(Mode mode)
    {
        var container = await CreateAsync(mode, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "longer", ttl: 60);
        await WriteAsync(container, "always", ttl: -1);
        Fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("1", Key));
        Fixture.Move(1);

        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("1", Key));
        Assert.Equal(["always", "longer"], await IdsAsync(container, "SELECT * FROM c"));
        Assert.Equal(["2"], await IdsAsync(container, "SELECT VALUE COUNT(1) FROM c"));
        Assert.Equal(["always", "longer"], await IdsAsync(container, null));
        await FailsAsync(HttpStatusCode.NotFound, () => container.DeleteAsync("1", Key));
        await WriteAsync(container, "1", ttl: null);
        Fixture.Move(50);
        Assert.Equal(["always"], await IdsAsync(container, "SELECT * FROM c"));
        var ledger = LedgerOf(container);
        Assert.Equal((1, 3, 4, 0), (ledger.DocumentCount, ledger.Documents.Expired, ledger.Documents.Created, ledger.Documents.Deleted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_DefaultOff_ExpiresOnlyDocumentsWithATtl(Mode mode)
    {
        var container = await CreateAsync(mode, defaultTtl: -1);
        await WriteAsync(container, "1", ttl: null);
        await WriteAsync(container, "2", ttl: 5);
        Fixture.Move(5);
        Assert.Equal(["1"], await IdsAsync(container, null));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_NoDefault_IgnoresTheTtlOfDocumentsUntilTheContainerHasOne(Mode mode)
    {
        var container = await CreateAsync(mode, defaultTtl: null);
        await WriteAsync(container, "1", ttl: 5);
        await WriteAsync(container, "2", ttl: null);
        Fixture.Move(100);
        Assert.Equal(["1", "2"], await IdsAsync(container, null));

        var properties = await container.PropertiesAsync();
        properties.DefaultTimeToLive = -1;
        var replaced = (await container.ReplaceContainerAsync(properties, cancellationToken: Token)).Resource;

        Assert.Equal(-1, replaced.DefaultTimeToLive);
        Assert.Equal(["2"], await IdsAsync(container, null));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_DocumentWithATtl_RestartsItsTime(Mode mode)
    {
        var container = await CreateAsync(mode, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        Fixture.Move(6);
        await container.PatchAsync("1", Key, PatchOperation.Set("/ttl", 20));
        Fixture.Move(6);
        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("1", Key));
        await container.ReplaceAsync(JObject.Parse("""{"id":"1","pk":"k"}"""), "1", Key);
        Fixture.Move(9);
        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("1", Key));
        Fixture.Move(1);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("1", Key));
    }

    [Fact]
    public async Task Read_AfterAFailedTransactionAndASplit_KeepsTheTime()
    {
        var container = await CreateAsync(Mode.Gateway, defaultTtl: 10);
        await WriteAsync(container, "1", ttl: null);
        Fixture.Move(5);
        using var failed = await container.CreateTransactionalBatch(Key)
            .UpsertItem(JObject.Parse("""{"id":"1","pk":"k","ttl":100}""")).ReadItem("none").ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        await SplitAsync(container, 0);
        await SplitAsync(container, 1);

        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("1", Key));
        Fixture.Move(5);

        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("1", Key));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-2")]
    [InlineData("1.5")]
    [InlineData("\"10\"")]
    [InlineData("2147483648")]
    public async Task BadTtl_OfItemOrContainer_Is400(string ttl)
    {
        var container = await CreateAsync(Mode.Gateway, defaultTtl: -1);
        using var bad = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls",
            $$$"""{"id":"bad{{{Guid.NewGuid():N}}}","partitionKey":{"paths":["/pk"],"kind":"Hash"},"defaultTtl":{{{ttl}}}}""");
        using var item = await container.AddJsonAsync($$"""{"id":"1","pk":"k","ttl":{{ttl}}}""", Key);
        Assert.Equal((HttpStatusCode.BadRequest, HttpStatusCode.BadRequest), (bad.StatusCode, item.StatusCode));
        Assert.Contains("ttl", item.ErrorMessage, StringComparison.Ordinal);
    }

    private Task<Container> CreateAsync(Mode mode, int? defaultTtl) => CreateContainerAsync(
        mode, properties: new ContainerProperties { PartitionKeyPath = "/pk", DefaultTimeToLive = defaultTtl });

    private static async Task WriteAsync(Container container, string id, int? ttl)
    {
        var item = JObject.FromObject(new { id, pk = "k" });
        if (ttl is { } seconds)
            item["ttl"] = seconds;
        await container.AddAsync(item, Key);
    }

    /// <summary>The ids, or values, that a query returns, or the read feed when it is null.</summary>
    private static async Task<string[]> IdsAsync(Container container, string? query) =>
    [
        .. (await container.QueryAsync<JToken>(query))
            .Select(one => one is JObject item ? (string)item["id"]! : one.ToString()).Order(StringComparer.Ordinal),
    ];

    public sealed class MovableAccount() : TimedAccount(new AccountSettings { PhysicalPartitions = 2 });
}
