using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class DocumentTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_NewId_IsStoredAndReadBack(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "a b ü", Key = "k", Value = 7 });
        var read = await container.ReadAsync("a b ü", Key);
        Assert.Equal((HttpStatusCode.Created, 7), (created.StatusCode, created.Resource.Value));
        Assert.Equal((HttpStatusCode.OK, 1), (read.StatusCode, read.RequestCharge));
        Assert.Equal((created.Resource, created.ETag), (read.Resource, read.ETag));
        Assert.NotEmpty(read.Headers.Session);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_ExistingId_IsConflict(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.AddAsync(new Item { Id = "1", Key = "other" });
        var e = await FailsAsync(HttpStatusCode.Conflict, () => container.AddAsync(new Item { Id = "1", Key = "k" }));
        Assert.Equal(1.67, e.RequestCharge);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Upsert_NewThenExisting_CreatesThenReplaces(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var first = await container.UpsertAsync(new Item { Id = "1", Key = "k", Value = 1 }, Key);
        var second = await container.UpsertAsync(new Item { Id = "1", Key = "k", Value = 2 }, Key);
        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.OK, 2), (first.StatusCode, second.StatusCode, second.Resource.Value));
        Assert.NotEqual(first.ETag, second.ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithCurrentAndStaleEtag_SucceedsThenFailsPrecondition(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var ifMatch = new ItemRequestOptions { IfMatchEtag = created.ETag };
        var replaced = await container.ReplaceItemAsync(
            new Item { Id = "1", Key = "k", Text = new string('x', 1000) }, "1", Key, ifMatch, Token);
        var stale = await FailsAsync(
            HttpStatusCode.PreconditionFailed, () => container.ReplaceItemAsync(created.Resource, "1", Key, ifMatch, Token));
        await FailsAsync(HttpStatusCode.PreconditionFailed, () => container.DeleteItemAsync<Item>("1", Key, ifMatch, Token));

        Assert.Equal(HttpStatusCode.OK, replaced.StatusCode);
        Assert.Matches("ne of the specified pre-?condition is not met", stale.Message);
        Assert.Equal(new string('x', 1000), (await container.ReadAsync("1", Key)).Resource.Text);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Delete_Existing_LeavesNothing(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var deleted = await container.DeleteAsync("1", Key);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        Assert.Equal(created.RequestCharge, deleted.RequestCharge);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("1", Key));
        await FailsAsync(HttpStatusCode.NotFound, () => container.DeleteAsync("1", Key));
        await FailsAsync(HttpStatusCode.NotFound, () => container.ReplaceAsync(new Item { Id = "1", Key = "k" }, "1", Key));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_IfNoneMatchIsCurrent_IsNotModified(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        using var read = await container.ReadItemStreamAsync("1", Key, new ItemRequestOptions { IfNoneMatchEtag = created.ETag }, Token);
        Assert.Equal(HttpStatusCode.NotModified, read.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithADocumentThatWasRead_WritesNewSystemProperties(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(JObject.Parse("""{"id":"1","pk":"k","n":1}"""), Key);
        var replaced = await container.ReplaceAsync(created.Resource, "1", Key);

        // Writes 1 KB for the old and for the new document, and changes no index entry but that of the time, if it is another second.
        Assert.Equal(6.29, created.RequestCharge);
        Assert.Contains(replaced.RequestCharge, (double[])[9.9, 10.29]);
        Assert.Equal((string?)created.Resource["_rid"], (string?)replaced.Resource["_rid"]);
        Assert.NotEqual((string?)created.Resource["_etag"], (string?)replaced.Resource["_etag"]);
        Assert.Equal(
            ["id", "pk", "n", "_rid", "_self", "_etag", "_attachments", "_ts"],
            replaced.Resource.Properties().Select(property => property.Name));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_MoreThanTwoMegabytes_IsTooLarge(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        string large = new('x', (2 * 1024 * 1024) + 1);
        string fits = new('x', (2 * 1024 * 1024) - 1000);
        using var tooLarge = await container.AddJsonAsync($$"""{"id":"1","pk":"k","text":"{{large}}"}""", Key);
        using var created = await container.AddJsonAsync($$"""{"id":"2","pk":"k","text":"{{fits}}"}""", Key);
        Assert.Equal((HttpStatusCode.RequestEntityTooLarge, HttpStatusCode.Created), (tooLarge.StatusCode, created.StatusCode));
        Assert.Equal(fits, (await container.ReadAsync("2", Key)).Resource.Text);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BadDocument_IsBadRequest(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        string[] bodies =
        [
            "", "{", "[]", "1", "{}", """{"pk":"k"}""", """{"id":1,"pk":"k"}""", """{"id":"","pk":"k"}""", """{"id":"a\C","pk":"k"}""",
            """{"id":"1","pk":"other"}""", """{"id":"1"}""", """{"id":"1","pk":["k"]}""", """{"id":"1","pk":"k"} {}""",
            """{"id":"1","pk":"k",}""", "{\"a\\\u0001\"\\\u0001\"\u0001",
            "{\"id\":\"1\",\"pk\":\"k\",\"deep\":" + new string('[', 200) + new string(']', 200) + "}",
        ];
        foreach (var body in bodies)
        {
            using var response = await container.AddJsonAsync(body, Key);
            Assert.True(response.StatusCode == HttpStatusCode.BadRequest, $"{response.StatusCode} for {body}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_TextThatIsNoUtf8_IsBadRequest(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "there", Key = "k" });
        byte[][] bodies =
        [
            [.. "{\"id\":\"a"u8, 0xFF, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\"a"u8, 0xC0, 0xAF, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\""u8, 0xED, 0xA0, 0x80, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\"there\",\"pk\":\"k\",\"Text\":\""u8, 0xE2, 0x82, .. "\"}"u8],
            [.. "{\"id\":\"there\",\"pk\":\"k\",\""u8, 0x80, .. "\":1}"u8],
        ];
        foreach (var body in bodies)
        {
            using var created = await container.CreateItemStreamAsync(Stream(), Key, cancellationToken: Token);
            using var upserted = await container.UpsertItemStreamAsync(Stream(), Key, cancellationToken: Token);
            using var replaced = await container.ReplaceItemStreamAsync(Stream(), "there", Key, cancellationToken: Token);
            using var batch = await container.CreateTransactionalBatch(Key).UpsertItemStream(Stream()).ExecuteAsync(Token);
            HttpStatusCode[] all = [created.StatusCode, upserted.StatusCode, replaced.StatusCode, batch.StatusCode];
            Assert.True(
                all.All(status => status == HttpStatusCode.BadRequest), $"{string.Join(", ", all)} for {Convert.ToHexString(body)}");

            MemoryStream Stream() => new(body);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_NoContentWanted_RespondsWithoutBody(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var options = new ItemRequestOptions { EnableContentResponseOnWrite = false };
        using var response = await container.AddJsonAsync("""{"id":"1","pk":"k"}""", Key, options);
        Assert.Equal(HttpStatusCode.Created, response.StatusCode);
        Assert.True(response.Content is null || response.Content.Length == 0);
        Assert.NotEmpty(response.Headers.ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_OfAnEmptyContainer_IsNotFoundAtOnceAndCostsALookUp(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var response = await container.ReadItemStreamAsync("none", Key, cancellationToken: Token);
        Assert.Equal((HttpStatusCode.NotFound, 1.0), (response.StatusCode, response.Headers.RequestCharge));
        Assert.Equal(1, LedgerOf(container).Operations.Read.Attempts);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task DeleteAll_OfAKey_LeavesTheOthers(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, throughput: 40_000);
        for (var i = 0; i < 30; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = $"k{i % 3}" });
        using var response = await container.DeleteAllAsync(new PartitionKey("k1"));
        await container.AddAsync(new Item { Id = "1", Key = "k1" });

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        var ledger = LedgerOf(container);
        Assert.Equal((21L, 10L, 1L), (ledger.DocumentCount, ledger.Documents.Deleted, ledger.Operations.Delete.Attempts));
        Assert.InRange(response.Headers.RequestCharge, 10 * 4.95, 1_000);
    }
}
