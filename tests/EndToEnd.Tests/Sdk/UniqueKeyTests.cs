using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class UniqueKeyTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task SameValue_InOneLogicalPartition_IsAConflictForEveryWrite(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, "/mail");
        await container.AddAsync(Item("1", "a"), Key);
        await container.AddAsync(Item("2", "b"), Key);
        await container.AddAsync(Item("1", "a", "other"), new PartitionKey("other"));
        using var batch = await container.CreateTransactionalBatch(Key)
            .CreateItem(Item("3", "c")).CreateItem(Item("4", "c")).ExecuteAsync(Token);
        HttpStatusCode[] conflicts =
        [
            await StatusAsync(() => container.UpsertAsync(Item("3", "a"), Key)),
            await StatusAsync(() => container.UpsertAsync(Item("2", "a"), Key)),
            await StatusAsync(() => container.ReplaceAsync(Item("2", "a"), "2", Key)),
            await StatusAsync(() => container.PatchAsync("2", Key, PatchOperation.Set("/mail", "a"))),
            batch.StatusCode,
        ];
        await container.ReplaceAsync(Item("2", "b"), "2", Key);

        Assert.All(conflicts, status => Assert.Equal(HttpStatusCode.Conflict, status));
        var e = await FailsAsync(HttpStatusCode.Conflict, () => container.AddAsync(Item("3", "a"), Key));
        // The gateway has one text for every conflict.
        var message = mode == ConnectionMode.Direct ? "Unique index constraint violation" : "Entity with the specified id already exists";
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    /// <summary>A recorded create cost 7.77 RU, a recorded conflict 1.94: 0.371 for the key on each of four replicas, or on one.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Charge_OfEachWrite_HasThatOfTheUniqueKey(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, "/mail");
        var created = (await container.AddAsync(JObject.Parse("""{"id":"1","pk":"k","mail":"a@b"}"""), Key)).RequestCharge;
        var upserted = (await container.UpsertAsync(JObject.Parse("""{"id":"1","pk":"k","mail":"a@b"}"""), Key)).RequestCharge;
        var conflict = await FailsAsync(
            HttpStatusCode.Conflict, () => container.AddAsync(JObject.Parse("""{"id":"2","pk":"k","mail":"a@b"}"""), Key));
        var deleted = (await container.DeleteAsync("1", Key)).RequestCharge;

        Assert.Equal((7.77, 1.94, 7.77), (created, conflict.RequestCharge, deleted));
        // Two rows, and two entries of the time of the change if it is in another second.
        Assert.Contains(upserted, new[] { 11.39, 11.77 });
    }

    [Fact]
    public async Task Value_NoLongerUsed_IsFree()
    {
        var container = await CreateAsync(ConnectionMode.Gateway, "/mail");
        await container.AddAsync(Item("1", "a"), Key);
        await container.AddAsync(Item("2", "b"), Key);
        await container.DeleteAsync("1", Key);
        await container.ReplaceAsync(Item("2", "a"), "2", Key);
        using var failed = await container.CreateTransactionalBatch(Key)
            .DeleteItem("2").CreateItem(Item("3", "a")).ReadItem("none").ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync(() => container.AddAsync(Item("4", "a"), Key)));
        Assert.Equal(HttpStatusCode.Created, await StatusAsync(() => container.AddAsync(Item("4", "b"), Key)));
    }

    [Theory]
    [InlineData("""{"a":1,"b":{"c":"x"}}""", """{"b":{"c":"x"},"a":1.0}""", true)]
    [InlineData("""{"a":1,"b":{"c":"x"}}""", """{"a":1,"b":{"c":"y"}}""", false)]
    [InlineData("""{"a":1}""", """{"a":1,"b":{}}""", true)]
    [InlineData("""{"a":1}""", """{"a":1,"b":{"c":null}}""", true)]
    [InlineData("{}", """{"a":null,"b":5}""", true)]
    [InlineData("""{"a":"1"}""", """{"a":1}""", false)]
    [InlineData("""{"a":"\u0061"}""", """{"a":"a"}""", true)]
    [InlineData("""{"a":true}""", """{"a":false}""", false)]
    [InlineData("""{"a":[1,2]}""", """{"a":[ 1, 2 ]}""", true)]
    public async Task CompositeKey_IsTheSame_IfAllValuesAre(string first, string second, bool isSame)
    {
        var container = await CreateAsync(ConnectionMode.Gateway, "/a", "/b/c");
        await container.AddAsync(With("1", first), Key);
        var status = await StatusAsync(() => container.AddAsync(With("2", second), Key));

        Assert.Equal(isSame ? HttpStatusCode.Conflict : HttpStatusCode.Created, status);

        static JObject With(string id, string values)
        {
            var item = JObject.Parse(values);
            (item["id"], item["pk"]) = (id, "k");
            return item;
        }
    }

    [Fact]
    public async Task Split_UniqueKeys_AreKept()
    {
        var container = await CreateAsync(ConnectionMode.Gateway, "/mail");
        for (var i = 0; i < 40; i++)
            await container.AddAsync(Item($"{i}", "a", $"k{i}"), new PartitionKey($"k{i}"));
        await SplitAllAsync(container);

        for (var i = 0; i < 40; i++)
        {
            var key = new PartitionKey($"k{i}");
            Assert.Equal(HttpStatusCode.Conflict, await StatusAsync(() => container.AddAsync(Item("new", "a", $"k{i}"), key)));
        }
    }

    [Fact]
    public async Task Replace_UniqueKeyPolicy_IsReturnedAndCannotBeChanged()
    {
        var container = await CreateAsync(ConnectionMode.Gateway, "/a", "/b/c");
        var properties = await container.PropertiesAsync();
        Assert.Equal(["/a", "/b/c"], properties.UniqueKeyPolicy.UniqueKeys.Single().Paths);
        properties.UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { new UniqueKey { Paths = { "/other" } } } };
        await FailsAsync(HttpStatusCode.Forbidden, () => container.ReplaceContainerAsync(properties, cancellationToken: Token));
    }

    private static JObject Item(string id, string mail, string pk = "k") => JObject.FromObject(new { id, pk, mail });

    private static async Task<HttpStatusCode> StatusAsync(Func<Task<ItemResponse<JObject>>> operation)
    {
        try
        {
            return (await operation()).StatusCode;
        }
        catch (CosmosException e)
        {
            return e.StatusCode;
        }
    }

    private Task<Container> CreateAsync(ConnectionMode mode, params string[] paths)
    {
        var key = new UniqueKey();
        foreach (var path in paths)
            key.Paths.Add(path);
        return CreateContainerAsync(mode, properties: new ContainerProperties
        {
            PartitionKeyPath = "/pk", UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { key } },
        });
    }
}
