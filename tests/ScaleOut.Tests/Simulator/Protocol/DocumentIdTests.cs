using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Ids with characters that paths have a meaning for, as the .NET SDK's own tests of the service have them.</summary>
public sealed class DocumentIdTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    public static TheoryData<string, int, int, int> Ids => new()
    {
        { "Test", 201, 200, 200 },
        { "This is a test", 201, 200, 200 },
        { "  Test", 201, 200, 200 },
        { "Test ", 201, 401, 200 },
        { "WithUnicode鱀", 201, 200, 200 },
        { "WithAllowedSpecial,=.:~+-@()^${}[]!_Chars", 201, 200, 200 },
        { "EndingWithPercentEncodedWhitespace%20", 201, 401, 200 },
        { "WithPercentEncodedSpecialChar%E9%B1%80", 201, 401, 200 },
        { "Disallowed?Chars", 201, 200, 200 },
        { "Disallowed/Chars", 201, 404, 404 },
        { "Disallowed\\Chars", 201, 404, 200 },
        { "Disallowed#Chars", 201, 401, 200 },
        { "With\rCarriageReturn", 201, 400, 200 },
        { "With\tTab", 201, 400, 200 },
        { "With\nLineFeed", 201, 400, 200 },
    };

    [Theory, MemberData(nameof(Ids))]
    public async Task CreateAndRead_EndAsOnTheService(string id, int created, int readOverGateway, int readDirectly)
    {
        foreach (ConnectionMode mode in (ConnectionMode[])[ConnectionMode.Gateway, ConnectionMode.Direct])
        {
            Container container = await CreateContainerAsync(mode);
            string json = Newtonsoft.Json.JsonConvert.SerializeObject(new Item { Id = id, Key = "k" });

            using ResponseMessage create = await container.CreateItemStreamAsync(Stream(json), Key, cancellationToken: Token);
            using ResponseMessage read = await container.ReadItemStreamAsync(id, Key, cancellationToken: Token);
            using ResponseMessage replace = await container.ReplaceItemStreamAsync(Stream(json), id, Key, cancellationToken: Token);

            int expected = mode == ConnectionMode.Gateway ? readOverGateway : readDirectly;
            Assert.Equal((mode, created, expected), (mode, (int)create.StatusCode, (int)read.StatusCode));
            Assert.Equal((mode, created == 201 ? expected : (int)replace.StatusCode), (mode, (int)replace.StatusCode));
        }
    }

    /// <summary>The service takes control characters in JSON that are not escaped.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_WithControlCharactersAsTheyAre_KeepsThem(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        using ResponseMessage create = await container.CreateItemStreamAsync(
            Stream("{\"id\":\"1\",\"pk\":\"a\tb\",\"text\":\"\\\"c\nd\\\\\"}"), new PartitionKey("a\tb"), cancellationToken: Token);
        using ResponseMessage broken = await container.CreateItemStreamAsync(
            Stream("{\"id\":\"2\",\"pk\":\"a\tb\""), new PartitionKey("a\tb"), cancellationToken: Token);

        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.BadRequest), (create.StatusCode, broken.StatusCode));
        Dictionary<string, object> read = await container.ReadItemAsync<Dictionary<string, object>>(
            "1", new PartitionKey("a\tb"), cancellationToken: Token);
        Assert.Equal(("a\tb", "\"c\nd\\"), (read["pk"], read["text"]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithAnotherId_RenamesTheItem(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        ItemResponse<Item> first = await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.AddAsync(new Item { Id = "taken", Key = "k" });

        using ResponseMessage replace = await ReplaceAsync(container, "1", "2", "k");

        Assert.Equal(HttpStatusCode.OK, replace.StatusCode);
        Assert.NotEqual(first.ETag, replace.Headers.ETag);
        Assert.Equal(["404", "200", "409", "404"], await Task.WhenAll(
            StatusAsync(container.ReadItemStreamAsync("1", Key, cancellationToken: Token)),
            StatusAsync(container.ReadItemStreamAsync("2", Key, cancellationToken: Token)),
            StatusAsync(ReplaceAsync(container, "2", "taken", "k")),
            StatusAsync(ReplaceAsync(container, "1", "3", "k"))));
        using FeedIterator<Item> feed = container.GetItemQueryIterator<Item>(
            requestOptions: new QueryRequestOptions { PartitionKey = Key });
        Assert.Equal(["2", "taken"], (await feed.ReadNextAsync(Token)).Select(item => item.Id).Order());
    }

    [Fact]
    public async Task Transaction_ThatFails_TakesANewIdBack()
    {
        Container container = await CreateContainerAsync(ConnectionMode.Direct);
        string etag = (await container.AddAsync(new Item { Id = "1", Key = "k" })).ETag;

        using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(Key)
            .ReplaceItem("1", new Item { Id = "2", Key = "k" }).ReadItem("1").ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.NotFound, batch.StatusCode);
        Assert.Equal(etag, (await container.ReadItemAsync<Item>("1", Key, cancellationToken: Token)).ETag);
        Assert.Equal("404", await StatusAsync(container.ReadItemStreamAsync("2", Key, cancellationToken: Token)));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithAnotherKey_Is404WhereNothingIsAnd400WhereSomethingIs(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k" });

        using ResponseMessage missing = await ReplaceAsync(container, "2", "2", "other");
        using ResponseMessage found = await ReplaceAsync(container, "1", "1", "other");
        using ResponseMessage empty = await container.ReplaceItemStreamAsync(Stream(""), "2", Key, cancellationToken: Token);

        Assert.Equal((HttpStatusCode.NotFound, HttpStatusCode.NotFound), (missing.StatusCode, empty.StatusCode));
        Assert.Equal((HttpStatusCode.BadRequest, "1001"), (found.StatusCode, found.Headers["x-ms-substatus"]));
    }

    private static Task<ResponseMessage> ReplaceAsync(Container container, string id, string newId, string newKey) =>
        container.ReplaceItemStreamAsync(Stream($$"""{"id":"{{newId}}","pk":"{{newKey}}"}"""), id, Key, cancellationToken: Token);

    private static async Task<string> StatusAsync(Task<ResponseMessage> sent)
    {
        using ResponseMessage response = await sent;
        return $"{(int)response.StatusCode}";
    }

    private static MemoryStream Stream(string json) => new(System.Text.Encoding.UTF8.GetBytes(json));
}
