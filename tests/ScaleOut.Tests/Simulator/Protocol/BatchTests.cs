using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class BatchTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_AllGood_DoesEveryOperation(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });
        await container.AddAsync(new Item { Id = "gone", Key = "k" });

        using TransactionalBatchResponse response = await container.CreateTransactionalBatch(key)
            .CreateItem(new Item { Id = "new", Key = "k", Value = 5 })
            .UpsertItem(new Item { Id = "old", Key = "k", Value = 2 })
            .ReplaceItem("new", new Item { Id = "new", Key = "k", Value = 6 })
            .ReadItem("old")
            .DeleteItem("gone")
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(
            [HttpStatusCode.Created, HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.NoContent],
            response.Select(result => result.StatusCode));
        Assert.Equal(2, response.GetOperationResultAtIndex<Item>(3).Resource.Value);
        Assert.Equal(6, (await container.ReadItemAsync<Item>("new", key, cancellationToken: Token)).Resource.Value);
        Assert.True(response.RequestCharge > 4 * 4.95);
        Assert.NotEmpty(response[0].ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_OneFails_DoesNothing(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });
        await container.AddAsync(new Item { Id = "kept", Key = "k", Value = 1 });

        using TransactionalBatchResponse response = await container.CreateTransactionalBatch(key)
            .CreateItem(new Item { Id = "new", Key = "k" })
            .ReplaceItem("old", new Item { Id = "old", Key = "k", Value = 2, Text = new string('x', 500) })
            .DeleteItem("kept")
            .CreateItem(new Item { Id = "old", Key = "k" })
            .CreateItem(new Item { Id = "never", Key = "k" })
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.Conflict, response.StatusCode);
        Assert.Equal(
            [
                HttpStatusCode.FailedDependency, HttpStatusCode.FailedDependency, HttpStatusCode.FailedDependency,
                HttpStatusCode.Conflict, HttpStatusCode.FailedDependency,
            ],
            response.Select(result => result.StatusCode));
        Assert.Equal(1, (await container.ReadItemAsync<Item>("old", key, cancellationToken: Token)).Resource.Value);
        Assert.Equal(1, (await container.ReadItemAsync<Item>("kept", key, cancellationToken: Token)).Resource.Value);
        using ResponseMessage absent = await container.ReadItemStreamAsync("new", key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.NotFound, absent.StatusCode);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(2, ledger.DocumentCount);
        Assert.Equal(new DocumentLedger { Created = 2, UpsertedNew = 0, Replaced = 0, Deleted = 0 }, ledger.Documents);
        Assert.Equal(1, ledger.Operations.Batch.Attempts);
        Assert.Equal(response.RequestCharge, ledger.Operations.Batch.RequestUnits, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_StaleEtag_FailsPrecondition(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("k");
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.UpsertItemAsync(new Item { Id = "1", Key = "k", Value = 3 }, key, cancellationToken: Token);

        using TransactionalBatchResponse response = await container.CreateTransactionalBatch(key)
            .ReplaceItem("1", new Item { Id = "1", Key = "k" }, new TransactionalBatchItemRequestOptions { IfMatchEtag = created.ETag })
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.PreconditionFailed, response.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_HundredDocuments_IsOneOperationInTheLedger(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        TransactionalBatch batch = container.CreateTransactionalBatch(new PartitionKey("k"));
        for (int i = 0; i < 100; i++)
            batch.CreateItem(
                new Item { Id = $"{i}", Key = "k" }, new TransactionalBatchItemRequestOptions { EnableContentResponseOnWrite = false });

        using TransactionalBatchResponse response = await batch.ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.All(response, result => Assert.Null(result.ResourceStream));
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(100, ledger.DocumentCount);
        Assert.Equal(100, ledger.Documents.Created);
        Assert.Equal(1, ledger.Operations.Batch.Attempts);
        Assert.Equal(0, ledger.Operations.Create.Attempts);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Bulk_EveryKindOfOperation_GetsItsOwnStatusAndPlaceInTheLedger(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode, bulk: true);
        Task<ItemResponse<Item>>[] creates = [.. Enumerable.Range(0, 500).Select(i =>
            container.AddAsync(new Item { Id = $"{i}", Key = $"k{i % 50}", Value = i }))];
        await Task.WhenAll(creates);

        Task<ItemResponse<Item>> read = container.ReadItemAsync<Item>("7", new PartitionKey("k7"), cancellationToken: Token);
        Task<ItemResponse<Item>> upsert = container.UpsertItemAsync(
            new Item { Id = "8", Key = "k8", Value = -8 }, new PartitionKey("k8"), cancellationToken: Token);
        Task<ItemResponse<Item>> replace = container.ReplaceItemAsync(
            new Item { Id = "9", Key = "k9", Value = -9 }, "9", new PartitionKey("k9"), cancellationToken: Token);
        Task<ItemResponse<Item>> delete = container.DeleteItemAsync<Item>("10", new PartitionKey("k10"), cancellationToken: Token);
        Task<ResponseMessage> conflict = container.CreateItemStreamAsync(
            new MemoryStream("""{"id":"11","pk":"k11"}"""u8.ToArray()), new PartitionKey("k11"), cancellationToken: Token);
        await Task.WhenAll(read, upsert, replace, delete, conflict);

        Assert.All(creates, task => Assert.Equal(HttpStatusCode.Created, task.Result.StatusCode));
        Assert.Equal(7, (await read).Resource.Value);
        Assert.Equal(HttpStatusCode.OK, (await upsert).StatusCode);
        Assert.Equal(-9, (await replace).Resource.Value);
        Assert.Equal(HttpStatusCode.NoContent, (await delete).StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, (await conflict).StatusCode);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(
            [501, 1, 1, 1, 1, 0],
            new[]
            {
                ledger.Operations.Create, ledger.Operations.Upsert, ledger.Operations.Replace,
                ledger.Operations.Read, ledger.Operations.Delete, ledger.Operations.Batch,
            }.Select(counts => (int)counts.Attempts));
        Assert.Equal(creates.Sum(task => task.Result.RequestCharge) + 1, ledger.Operations.Create.RequestUnits, 6);
    }

    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadOfAnUnchangedDocument_Is304AndTheTransaction207(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });

        using TransactionalBatchResponse response = await container.CreateTransactionalBatch(Key)
            .ReadItem("1", new TransactionalBatchItemRequestOptions { IfNoneMatchEtag = created.ETag })
            .CreateItem(new Item { Id = "2", Key = "k" })
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.MultiStatus, response.StatusCode);
        Assert.Equal([HttpStatusCode.NotModified, HttpStatusCode.Created], response.Select(result => result.StatusCode));
        Assert.Equal("2", (await container.ReadItemAsync<Item>("2", Key, cancellationToken: Token)).Resource.Id);
    }

    /// <summary>Over Direct the client asks again for seconds before it gives up.</summary>
    [Fact]
    public async Task SessionAheadOfThePartition_RejectsATransactionThatReads()
    {
        Container container = await CreateContainerAsync();
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        string session = created.Headers.Session;
        var ahead = new TransactionalBatchRequestOptions { SessionToken = session[..session.LastIndexOf('#')] + "#2000" };

        using TransactionalBatchResponse writes = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "2", Key = "k" }).ExecuteAsync(ahead, Token);
        using TransactionalBatchResponse reads = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "3", Key = "k" }).ReadItem("1").ExecuteAsync(ahead, Token);
        using TransactionalBatchResponse malformed = await container.CreateTransactionalBatch(Key)
            .ReadItem("1").ExecuteAsync(new TransactionalBatchRequestOptions { SessionToken = "0:x" }, Token);

        Assert.Equal(HttpStatusCode.OK, writes.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, reads.StatusCode);
        Assert.All(reads, result => Assert.Equal(HttpStatusCode.NotFound, result.StatusCode));
        Assert.Equal(HttpStatusCode.BadRequest, malformed.StatusCode);
        using ResponseMessage none = await container.ReadItemStreamAsync("3", Key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.NotFound, none.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ResponseOfMoreThan4Megabytes_Is413(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) });
        TransactionalBatch batch = container.CreateTransactionalBatch(Key).CreateItem(new Item { Id = "2", Key = "k" });
        for (int i = 0; i < 5; i++)
            batch.ReadItem("1");

        using TransactionalBatchResponse response = await batch.ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal(HttpStatusCode.FailedDependency, response[0].StatusCode);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response[5].StatusCode);
        using ResponseMessage none = await container.ReadItemStreamAsync("2", Key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.NotFound, none.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task BulkReadsOfMoreThan4Megabytes_AreReadAgain(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode, bulk: true);
        await container.AddAsync(new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) });

        ItemResponse<Item>[] reads = await Task.WhenAll(Enumerable.Range(0, 6).Select(
            _ => container.ReadItemAsync<Item>("1", Key, cancellationToken: Token)));

        Assert.All(reads, read => Assert.Equal(1024 * 1024, read.Resource.Text.Length));
    }
}
