using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class UniqueKeyTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task SameValue_InOneLogicalPartition_IsAConflictHoweverItIsWritten(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode, "/mail");
        await container.CreateItemAsync(Item("1", "a"), Key, cancellationToken: Token);
        await container.CreateItemAsync(Item("2", "b"), Key, cancellationToken: Token);
        await container.CreateItemAsync(Item("1", "a", "other"), new PartitionKey("other"), cancellationToken: Token);

        using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(Key)
            .CreateItem(Item("3", "c")).CreateItem(Item("4", "c")).ExecuteAsync(Token);
        HttpStatusCode[] conflicts =
        [
            await StatusAsync(() => container.CreateItemAsync(Item("3", "a"), Key, cancellationToken: Token)),
            await StatusAsync(() => container.UpsertItemAsync(Item("3", "a"), Key, cancellationToken: Token)),
            await StatusAsync(() => container.UpsertItemAsync(Item("2", "a"), Key, cancellationToken: Token)),
            await StatusAsync(() => container.ReplaceItemAsync(Item("2", "a"), "2", Key, cancellationToken: Token)),
            await StatusAsync(() => container.PatchItemAsync<JObject>(
                "2", Key, [PatchOperation.Set("/mail", "a")], cancellationToken: Token)),
            batch.StatusCode,
        ];
        await container.ReplaceItemAsync(Item("2", "b"), "2", Key, cancellationToken: Token);

        Assert.All(conflicts, status => Assert.Equal(HttpStatusCode.Conflict, status));
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.CreateItemAsync(Item("3", "a"), Key, cancellationToken: Token));
        Assert.Contains("Unique index constraint violation", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Value_ThatIsGivenUp_MayBeUsedAgain()
    {
        Container container = await CreateAsync(ConnectionMode.Gateway, "/mail");
        await container.CreateItemAsync(Item("1", "a"), Key, cancellationToken: Token);
        await container.CreateItemAsync(Item("2", "b"), Key, cancellationToken: Token);
        await container.DeleteItemAsync<JObject>("1", Key, cancellationToken: Token);

        await container.ReplaceItemAsync(Item("2", "a"), "2", Key, cancellationToken: Token);
        using TransactionalBatchResponse failed = await container.CreateTransactionalBatch(Key)
            .DeleteItem("2").CreateItem(Item("3", "a")).ReadItem("none").ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.NotFound, failed.StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync(
            () => container.CreateItemAsync(Item("4", "a"), Key, cancellationToken: Token)));
        Assert.Equal(HttpStatusCode.Created, await StatusAsync(
            () => container.CreateItemAsync(Item("4", "b"), Key, cancellationToken: Token)));
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
    public async Task CompositeKey_IsTheSame_WhenEveryValueIs(string first, string second, bool isSame)
    {
        Container container = await CreateAsync(ConnectionMode.Gateway, "/a", "/b/c");

        await container.CreateItemAsync(With("1", first), Key, cancellationToken: Token);
        HttpStatusCode status = await StatusAsync(() => container.CreateItemAsync(With("2", second), Key, cancellationToken: Token));

        Assert.Equal(isSame ? HttpStatusCode.Conflict : HttpStatusCode.Created, status);

        static JObject With(string id, string values)
        {
            JObject item = JObject.Parse(values);
            (item["id"], item["pk"]) = (id, "k");
            return item;
        }
    }

    [Fact]
    public async Task Split_KeepsThem()
    {
        Container container = await CreateAsync(ConnectionMode.Gateway, "/mail");
        for (int i = 0; i < 40; i++)
            await container.CreateItemAsync(Item($"{i}", "a", $"k{i}"), new PartitionKey($"k{i}"), cancellationToken: Token);
        for (int partition = 0; partition < 4; partition++)
            await SplitAsync(container, partition);

        for (int i = 0; i < 40; i++)
        {
            var key = new PartitionKey($"k{i}");
            Assert.Equal(HttpStatusCode.Conflict, await StatusAsync(
                () => container.CreateItemAsync(Item("new", "a", $"k{i}"), key, cancellationToken: Token)));
        }
    }

    [Fact]
    public async Task Policy_IsReturnedAndCannotBeChanged()
    {
        Container container = await CreateAsync(ConnectionMode.Gateway, "/a", "/b/c");

        ContainerProperties properties = await container.ReadContainerAsync(cancellationToken: Token);
        Assert.Equal(["/a", "/b/c"], properties.UniqueKeyPolicy.UniqueKeys.Single().Paths);
        properties.UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { new UniqueKey { Paths = { "/other" } } } };

        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync(
            () => container.ReplaceContainerAsync(properties, cancellationToken: Token)));
    }

    private static JObject Item(string id, string mail, string pk = "k") => JObject.FromObject(new { id, pk, mail });

    private static async Task<HttpStatusCode> StatusAsync<T>(Func<Task<T>> operation)
        where T : class
    {
        try
        {
            return await operation() is ItemResponse<JObject> response ? response.StatusCode : HttpStatusCode.OK;
        }
        catch (CosmosException e)
        {
            return e.StatusCode;
        }
    }

    private Task<Container> CreateAsync(ConnectionMode mode, params string[] paths)
    {
        var key = new UniqueKey();
        foreach (string path in paths)
            key.Paths.Add(path);
        return CreateContainerAsync(mode, properties: new ContainerProperties
        {
            PartitionKeyPath = "/pk",
            UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { key } },
        });
    }
}
