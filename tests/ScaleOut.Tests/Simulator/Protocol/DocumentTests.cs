using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class DocumentTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_NewId_IsStoredAndReadBack(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "a b ü", Key = "k", Value = 7 });
        ItemResponse<Item> read = await container.ReadItemAsync<Item>("a b ü", new PartitionKey("k"), cancellationToken: Token);

        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(7, created.Resource.Value);
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
        Assert.Equal(created.Resource, read.Resource);
        Assert.Equal(created.ETag, read.ETag);
        Assert.Equal(1, read.RequestCharge);
        Assert.NotEmpty(read.Headers.Session);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_ExistingId_IsConflict(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.AddAsync(new Item { Id = "1", Key = "other" });

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => container.AddAsync(new Item { Id = "1", Key = "k" }));

        Assert.Equal(HttpStatusCode.Conflict, e.StatusCode);
        Assert.Equal(1, e.RequestCharge);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Upsert_NewThenExisting_CreatesThenReplaces(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        ItemResponse<Item> first = await container.UpsertItemAsync(
            new Item { Id = "1", Key = "k", Value = 1 }, new PartitionKey("k"), cancellationToken: Token);
        ItemResponse<Item> second = await container.UpsertItemAsync(
            new Item { Id = "1", Key = "k", Value = 2 }, new PartitionKey("k"), cancellationToken: Token);

        Assert.Equal(HttpStatusCode.Created, first.StatusCode);
        Assert.Equal(HttpStatusCode.OK, second.StatusCode);
        Assert.Equal(2, second.Resource.Value);
        Assert.NotEqual(first.ETag, second.ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Replace_WithCurrentAndStaleEtag_SucceedsThenFailsPrecondition(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var ifMatch = new ItemRequestOptions { IfMatchEtag = created.ETag };

        ItemResponse<Item> replaced = await container.ReplaceItemAsync(
            new Item { Id = "1", Key = "k", Text = new string('x', 1000) }, "1", key, ifMatch, Token);
        CosmosException stale = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReplaceItemAsync(new Item { Id = "1", Key = "k" }, "1", key, ifMatch, Token));
        CosmosException staleDelete = await Assert.ThrowsAsync<CosmosException>(
            () => container.DeleteItemAsync<Item>("1", key, ifMatch, Token));

        Assert.Equal(HttpStatusCode.OK, replaced.StatusCode);
        Assert.Equal(HttpStatusCode.PreconditionFailed, stale.StatusCode);
        Assert.Contains("One of the specified pre-condition is not met", stale.Message, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.PreconditionFailed, staleDelete.StatusCode);
        Assert.Equal(new string('x', 1000), (await container.ReadItemAsync<Item>("1", key, cancellationToken: Token)).Resource.Text);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Delete_Existing_LeavesNothing(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });

        ItemResponse<Item> deleted = await container.DeleteItemAsync<Item>("1", key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        Assert.Equal(created.RequestCharge, deleted.RequestCharge);
        using ResponseMessage read = await container.ReadItemStreamAsync("1", key, cancellationToken: Token);
        using ResponseMessage again = await container.DeleteItemStreamAsync("1", key, cancellationToken: Token);
        using ResponseMessage replace = await container.ReplaceItemStreamAsync(
            Json("""{"id":"1","pk":"k"}"""), "1", key, cancellationToken: Token);
        Assert.Equal(
            [HttpStatusCode.NotFound, HttpStatusCode.NotFound, HttpStatusCode.NotFound],
            [read.StatusCode, again.StatusCode, replace.StatusCode]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_IfNoneMatchIsCurrent_IsNotModified(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });

        using ResponseMessage read = await container.ReadItemStreamAsync(
            "1", new PartitionKey("k"), new ItemRequestOptions { IfNoneMatchEtag = created.ETag }, Token);

        Assert.Equal(HttpStatusCode.NotModified, read.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_ReadDocumentSentBack_KeepsNoSystemProperties(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        ItemResponse<Newtonsoft.Json.Linq.JObject> created = await container.CreateItemAsync(
            Newtonsoft.Json.Linq.JObject.Parse("""{"id":"1","pk":"k","n":1}"""), key, cancellationToken: Token);

        ItemResponse<Newtonsoft.Json.Linq.JObject> replaced = await container.ReplaceItemAsync(
            created.Resource, "1", key, cancellationToken: Token);

        // The write of 1 KB once for the old and once for the new document, and no index entry that differs.
        Assert.Equal((5.35, 9.9), (created.RequestCharge, replaced.RequestCharge));
        Assert.Equal((string?)created.Resource["_rid"], (string?)replaced.Resource["_rid"]);
        Assert.NotEqual((string?)created.Resource["_etag"], (string?)replaced.Resource["_etag"]);
        Assert.Equal(
            ["id", "pk", "n", "_rid", "_self", "_etag", "_attachments", "_ts"],
            replaced.Resource.Properties().Select(property => property.Name));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_MoreThanTwoMegabytes_IsTooLarge(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        string large = new('x', (2 * 1024 * 1024) + 1);
        string fits = new('x', (2 * 1024 * 1024) - 1000);

        using ResponseMessage tooLarge = await container.CreateItemStreamAsync(
            Json($$"""{"id":"1","pk":"k","text":"{{large}}"}"""), new PartitionKey("k"), cancellationToken: Token);
        using ResponseMessage created = await container.CreateItemStreamAsync(
            Json($$"""{"id":"2","pk":"k","text":"{{fits}}"}"""), new PartitionKey("k"), cancellationToken: Token);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, tooLarge.StatusCode);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(fits, (await container.ReadItemAsync<Item>("2", new PartitionKey("k"), cancellationToken: Token)).Resource.Text);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BadDocument_IsBadRequest(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        string[] bodies =
        [
            "", "{", "[]", "1", "{}", """{"pk":"k"}""", """{"id":1,"pk":"k"}""", """{"id":"","pk":"k"}""", """{"id":"a\C","pk":"k"}""",
            """{"id":"1","pk":"other"}""", """{"id":"1"}""", """{"id":"1","pk":["k"]}""", """{"id":"1","pk":"k"} {}""",
            """{"id":"1","pk":"k",}""", "{\"a\\\u0001\"\\\u0001\"\u0001",
            "{\"id\":\"1\",\"pk\":\"k\",\"deep\":" + new string('[', 200) + new string(']', 200) + "}",
        ];
        foreach (string body in bodies)
        {
            using ResponseMessage response = await container.CreateItemStreamAsync(
                Json(body), new PartitionKey("k"), cancellationToken: Token);
            Assert.True(response.StatusCode == HttpStatusCode.BadRequest, $"{response.StatusCode} for {body}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_TextThatIsNoUtf8_IsBadRequest(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "there", Key = "k" });
        byte[][] bodies =
        [
            [.. "{\"id\":\"a"u8, 0xFF, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\"a"u8, 0xC0, 0xAF, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\""u8, 0xED, 0xA0, 0x80, .. "\",\"pk\":\"k\"}"u8],
            [.. "{\"id\":\"there\",\"pk\":\"k\",\"Text\":\""u8, 0xE2, 0x82, .. "\"}"u8],
            [.. "{\"id\":\"there\",\"pk\":\"k\",\""u8, 0x80, .. "\":1}"u8],
        ];
        foreach (byte[] body in bodies)
        {
            using ResponseMessage created = await container.CreateItemStreamAsync(
                new MemoryStream(body), new PartitionKey("k"), cancellationToken: Token);
            using ResponseMessage upserted = await container.UpsertItemStreamAsync(
                new MemoryStream(body), new PartitionKey("k"), cancellationToken: Token);
            using ResponseMessage replaced = await container.ReplaceItemStreamAsync(
                new MemoryStream(body), "there", new PartitionKey("k"), cancellationToken: Token);
            using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(new PartitionKey("k")).UpsertItemStream(
                new MemoryStream(body)).ExecuteAsync(Token);
            HttpStatusCode[] all = [created.StatusCode, upserted.StatusCode, replaced.StatusCode, batch.StatusCode];
            Assert.True(
                all.All(status => status == HttpStatusCode.BadRequest), $"{string.Join(", ", all)} for {Convert.ToHexString(body)}");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Write_NoContentWanted_RespondsWithoutBody(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        using ResponseMessage response = await container.CreateItemStreamAsync(
            Json("""{"id":"1","pk":"k"}"""), new PartitionKey("k"), new ItemRequestOptions { EnableContentResponseOnWrite = false }, Token);

        Assert.Equal(HttpStatusCode.Created, response.StatusCode);
        Assert.True(response.Content is null || response.Content.Length == 0);
        Assert.NotEmpty(response.Headers.ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_OfAnEmptyContainer_IsNotFoundAtOnceAndCostsALookUp(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        using ResponseMessage response = await container.ReadItemStreamAsync("none", new PartitionKey("k"), cancellationToken: Token);

        Assert.Equal((HttpStatusCode.NotFound, 1.0), (response.StatusCode, response.Headers.RequestCharge));
        Assert.Equal(1, LedgerOf(container).Operations.Read.Attempts);
    }


    [Theory, MemberData(nameof(Modes))]
    public async Task DeleteAll_OfAKey_LeavesTheOthers(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode, throughput: 40_000);
        for (int i = 0; i < 30; i++)
        {
            string key = $"k{i % 3}";
            await container.CreateItemAsync(new Item { Id = $"{i}", Key = key }, new PartitionKey(key), cancellationToken: Token);
        }

        // Public only in the SDK's previews, but there in every version.
        MethodInfo delete = container.GetType().GetMethod(
            "DeleteAllItemsByPartitionKeyStreamAsync", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public,
            [typeof(PartitionKey), typeof(RequestOptions), typeof(CancellationToken)])!;
        using ResponseMessage response = await (Task<ResponseMessage>)delete.Invoke(container, [new PartitionKey("k1"), null, Token])!;
        await container.AddAsync(new Item { Id = "1", Key = "k1" });

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal((21L, 10L, 1L), (ledger.DocumentCount, ledger.Documents.Deleted, ledger.Operations.Delete.Attempts));
        Assert.InRange(response.Headers.RequestCharge, 10 * 4.95, 1_000);
    }
}
