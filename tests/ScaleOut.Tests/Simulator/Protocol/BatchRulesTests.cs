using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>What a batch's response says beside the good case.</summary>
public sealed class BatchRulesTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    private static readonly PartitionKey Key = new("k");

    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadOfAnUnchangedDocument_Is304AndTheTransaction207(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));
        ItemResponse<Item> created = await container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token);

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
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(ConnectionMode.Gateway));
        ItemResponse<Item> created = await container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token);
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
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));
        await container.CreateItemAsync(
            new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) }, Key, cancellationToken: Token);
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
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode, bulk: true));
        await container.CreateItemAsync(
            new Item { Id = "1", Key = "k", Text = new string('x', 1024 * 1024) }, Key, cancellationToken: Token);

        ItemResponse<Item>[] reads = await Task.WhenAll(Enumerable.Range(0, 6).Select(
            _ => container.ReadItemAsync<Item>("1", Key, cancellationToken: Token)));

        Assert.All(reads, read => Assert.Equal(1024 * 1024, read.Resource.Text.Length));
    }
}
