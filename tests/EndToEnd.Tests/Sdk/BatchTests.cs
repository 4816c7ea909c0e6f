using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class BatchTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_AllSucceed_DoesEveryOperation(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });
        await container.AddAsync(new Item { Id = "gone", Key = "k" });
        using var response = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "new", Key = "k", Value = 5 })
            .UpsertItem(new Item { Id = "old", Key = "k", Value = 2 })
            .ReplaceItem("new", new Item { Id = "new", Key = "k", Value = 6 })
            .ReadItem("old")
            .DeleteItem("gone")
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal([201, 200, 200, 200, 204], response.Select(result => (int)result.StatusCode));
        Assert.Equal(2, response.GetOperationResultAtIndex<Item>(3).Resource.Value);
        Assert.Equal(6, (await container.ReadAsync("new", Key)).Resource.Value);
        Assert.True(response.RequestCharge > 4 * 4.95);
        Assert.NotEmpty(response[0].ETag);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_OneFails_DoesNothing(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });
        await container.AddAsync(new Item { Id = "kept", Key = "k", Value = 1 });
        using var response = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "new", Key = "k" })
            .ReplaceItem("old", new Item { Id = "old", Key = "k", Value = 2, Text = new string('x', 500) })
            .DeleteItem("kept")
            .CreateItem(new Item { Id = "old", Key = "k" })
            .CreateItem(new Item { Id = "never", Key = "k" })
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.Conflict, response.StatusCode);
        Assert.Equal([424, 424, 424, 409, 424], response.Select(result => (int)result.StatusCode));
        Assert.Equal(1, (await container.ReadAsync("old", Key)).Resource.Value);
        Assert.Equal(1, (await container.ReadAsync("kept", Key)).Resource.Value);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("new", Key));
        var ledger = LedgerOf(container);
        Assert.Equal(2, ledger.DocumentCount);
        Assert.Equal(new DocumentLedger { Created = 2, UpsertedNew = 0, Replaced = 0, Deleted = 0 }, ledger.Documents);
        Assert.Equal(1, ledger.Operations.Batch.Attempts);
        Assert.Equal(response.RequestCharge, ledger.Operations.Batch.RequestUnits.Value, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_StaleEtag_FailsPrecondition(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.UpsertAsync(new Item { Id = "1", Key = "k", Value = 3 }, Key);
        using var response = await container.CreateTransactionalBatch(Key)
            .ReplaceItem("1", new Item { Id = "1", Key = "k" }, new TransactionalBatchItemRequestOptions { IfMatchEtag = created.ETag })
            .ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.PreconditionFailed, response.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_HundredDocuments_IsOneOperationInTheLedger(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var batch = container.CreateTransactionalBatch(Key);
        for (var i = 0; i < 100; i++)
            batch.CreateItem(
                new Item { Id = $"{i}", Key = "k" }, new TransactionalBatchItemRequestOptions { EnableContentResponseOnWrite = false });

        using var response = await batch.ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.All(response, result => Assert.Null(result.ResourceStream));
        var ledger = LedgerOf(container);
        Assert.Equal((100, 100), (ledger.DocumentCount, ledger.Documents.Created));
        Assert.Equal((1, 0), (ledger.Operations.Batch.Attempts, ledger.Operations.Create.Attempts));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Bulk_EachKindOfOperation_HasItsOwnStatusAndLedgerEntry(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, bulk: true);
        Task<ItemResponse<Item>>[] creates = [.. Enumerable.Range(0, 500).Select(i =>
            container.AddAsync(new Item { Id = $"{i}", Key = $"k{i % 50}", Value = i }))];
        await Task.WhenAll(creates);
        var read = container.ReadAsync("7", new PartitionKey("k7"));
        var upsert = container.UpsertAsync(new Item { Id = "8", Key = "k8", Value = -8 }, new PartitionKey("k8"));
        var replace = container.ReplaceAsync(new Item { Id = "9", Key = "k9", Value = -9 }, "9", new PartitionKey("k9"));
        var delete = container.DeleteAsync("10", new PartitionKey("k10"));
        var conflict = container.AddJsonAsync("""{"id":"11","pk":"k11"}""", new PartitionKey("k11"));
        await Task.WhenAll(read, upsert, replace, delete, conflict);

        Assert.All(creates, task => Assert.Equal(HttpStatusCode.Created, task.Result.StatusCode));
        Assert.Equal(7, (await read).Resource.Value);
        Assert.Equal(HttpStatusCode.OK, (await upsert).StatusCode);
        Assert.Equal(-9, (await replace).Resource.Value);
        Assert.Equal(HttpStatusCode.NoContent, (await delete).StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, (await conflict).StatusCode);
        var operations = LedgerOf(container).Operations;
        Assert.Equal((501, 1, 1), (operations.Create.Attempts, operations.Upsert.Attempts, operations.Replace.Attempts));
        Assert.Equal((1, 1, 0), (operations.Read.Attempts, operations.Delete.Attempts, operations.Batch.Attempts));
        // The conflict costs 31/21 RU. The SDK rounds the charge of each result, which the account does not.
        Assert.Equal(creates.Sum(task => task.Result.RequestCharge) + 1.48, operations.Create.RequestUnits.Value, tolerance: 501 * 0.005);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_ReadOfAnUnchangedDocument_Is304AndTheTransaction207(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        using var response = await container.CreateTransactionalBatch(Key)
            .ReadItem("1", new TransactionalBatchItemRequestOptions { IfNoneMatchEtag = created.ETag })
            .CreateItem(new Item { Id = "2", Key = "k" })
            .ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.MultiStatus, response.StatusCode);
        Assert.Equal([HttpStatusCode.NotModified, HttpStatusCode.Created], response.Select(result => result.StatusCode));
        Assert.Equal("2", (await container.ReadAsync("2", Key)).Resource.Id);
    }

    /// <summary>Tests only Gateway, as the client retries for seconds in Direct mode.</summary>
    [Fact]
    public async Task Transaction_ThatReadsWithASessionAheadOfThePartition_Is404()
    {
        var container = await CreateContainerAsync();
        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var session = created.Headers.Session;
        var ahead = new TransactionalBatchRequestOptions { SessionToken = session[..session.LastIndexOf('#')] + "#2000" };
        using var writes = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "2", Key = "k" }).ExecuteAsync(ahead, Token);
        using var reads = await container.CreateTransactionalBatch(Key)
            .CreateItem(new Item { Id = "3", Key = "k" }).ReadItem("1").ExecuteAsync(ahead, Token);
        using var malformed = await container.CreateTransactionalBatch(Key)
            .ReadItem("1").ExecuteAsync(new TransactionalBatchRequestOptions { SessionToken = "0:x" }, Token);

        Assert.Equal(HttpStatusCode.OK, writes.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, reads.StatusCode);
        Assert.All(reads, result => Assert.Equal(HttpStatusCode.NotFound, result.StatusCode));
        Assert.Equal(HttpStatusCode.BadRequest, malformed.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("3", Key));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_ResponseOfMoreThan4Megabytes_Is413(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) });
        var batch = container.CreateTransactionalBatch(Key).CreateItem(new Item { Id = "2", Key = "k" });
        for (var i = 0; i < 5; i++)
            batch.ReadItem("1");

        using var response = await batch.ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
        Assert.Equal(HttpStatusCode.FailedDependency, response[0].StatusCode);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response[5].StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, await container.StatusOfAsync("2", Key));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_BulkOfMoreThan4Megabytes_ReadsAgain(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, bulk: true);
        await container.AddAsync(new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) });
        var reads = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => container.ReadAsync("1", Key)));
        Assert.All(reads, read => Assert.Equal(1024 * 1024, read.Resource.Text.Length));
    }
}
