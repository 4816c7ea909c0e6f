using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Ids with characters that have a meaning in paths, from the .NET SDK's own tests of the service.</summary>
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
    public async Task CreateAndRead_AnyId_HaveTheStatusOfTheService(string id, int created, int readOverGateway, int readDirectly)
    {
        foreach (var mode in (ConnectionMode[])[ConnectionMode.Gateway, ConnectionMode.Direct])
        {
            var container = await CreateContainerAsync(mode);
            var json = Newtonsoft.Json.JsonConvert.SerializeObject(new Item { Id = id, Key = "k" });
            using var create = await container.AddJsonAsync(json, Key);
            var read = await container.StatusOfAsync(id, Key);
            using var replace = await container.ReplaceItemStreamAsync(Json(json), id, Key, cancellationToken: Token);

            var expected = mode == ConnectionMode.Gateway ? readOverGateway : readDirectly;
            Assert.Equal((mode, created, expected), (mode, (int)create.StatusCode, (int)read));
            Assert.Equal((mode, created == 201 ? expected : (int)replace.StatusCode), (mode, (int)replace.StatusCode));
        }
    }

    /// <summary>The service accepts unescaped control characters in JSON.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_WithUnescapedControlCharacters_KeepsThem(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var key = new PartitionKey("a\tb");
        using var create = await container.AddJsonAsync("{\"id\":\"1\",\"pk\":\"a\tb\",\"text\":\"\\\"c\nd\\\\\"}", key);
        using var broken = await container.AddJsonAsync("{\"id\":\"2\",\"pk\":\"a\tb\"", key);
        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.BadRequest), (create.StatusCode, broken.StatusCode));
        var read = (await container.ReadAsync<Dictionary<string, object>>("1", key)).Resource;
        Assert.Equal(("a\tb", "\"c\nd\\"), (read["pk"], read["text"]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithAnotherId_RenamesTheItem(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var first = await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.AddAsync(new Item { Id = "taken", Key = "k" });
        using var replace = await ReplaceAsync(container, "1", "2", "k");

        Assert.Equal(HttpStatusCode.OK, replace.StatusCode);
        Assert.NotEqual(first.ETag, replace.Headers.ETag);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("1", Key));
        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("2", Key));
        using var conflict = await ReplaceAsync(container, "2", "taken", "k");
        using var missing = await ReplaceAsync(container, "1", "3", "k");
        Assert.Equal((HttpStatusCode.Conflict, HttpStatusCode.NotFound), (conflict.StatusCode, missing.StatusCode));
        Assert.Equal(["2", "taken"], (await container.QueryAsync<Item>()).Select(item => item.Id).Order());
    }

    [Fact]
    public async Task Transaction_ThatFails_RestoresTheFormerId()
    {
        var container = await CreateContainerAsync(ConnectionMode.Direct);
        var etag = (await container.AddAsync(new Item { Id = "1", Key = "k" })).ETag;
        using var batch = await container.CreateTransactionalBatch(Key)
            .ReplaceItem("1", new Item { Id = "2", Key = "k" }).ReadItem("1").ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.NotFound, batch.StatusCode);
        Assert.Equal(etag, (await container.ReadAsync("1", Key)).ETag);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("2", Key));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithAnotherKey_Is400Or404WithoutADocument(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        using var missing = await ReplaceAsync(container, "2", "2", "other");
        using var found = await ReplaceAsync(container, "1", "1", "other");
        using var empty = await container.ReplaceItemStreamAsync(Json(""), "2", Key, cancellationToken: Token);
        Assert.Equal((HttpStatusCode.NotFound, HttpStatusCode.NotFound), (missing.StatusCode, empty.StatusCode));
        Assert.Equal((HttpStatusCode.BadRequest, "1001"), (found.StatusCode, found.Headers["x-ms-substatus"]));
    }

    private static Task<ResponseMessage> ReplaceAsync(Container container, string id, string newId, string newKey) =>
        container.ReplaceItemStreamAsync(Json($$"""{"id":"{{newId}}","pk":"{{newKey}}"}"""), id, Key, cancellationToken: Token);


}
