using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Statuses, sub-statuses and texts that clients decide by.</summary>
public sealed class ErrorTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    private static readonly PartitionKey Key = new("k");

    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>At Session consistency the SDK looks for the container of a read in both modes, and names what it does not find.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Item_OfWhatIsNotThere_Is404WithTheSubStatusOfWhatIsMissing(ConnectionMode mode)
    {
        CosmosClient client = fixture.Client(mode);
        Container container = await AccountClients.CreateContainerAsync(client);

        Assert.Equal(0, await SubStatusAsync(container));
        Assert.Equal(1003, await SubStatusAsync(container.Database.GetContainer("absent")));
        Assert.Equal(1003, await SubStatusAsync(client.GetContainer("absent", "absent")));
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.Database.GetContainer("absent").ReadContainerAsync(cancellationToken: Token));
        Assert.Equal((HttpStatusCode.NotFound, 0), (e.StatusCode, e.SubStatusCode));

        static async Task<int> SubStatusAsync(Container from)
        {
            CosmosException e = await Assert.ThrowsAsync<CosmosException>(
                () => from.ReadItemAsync<Item>("1", Key, cancellationToken: Token));
            Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
            return e.SubStatusCode;
        }
    }

    /// <summary>
    /// As the SDK's own <c>CosmosNotFoundTests</c> have the gateway: without a sub-status where the container is not there, and with 1003
    /// where its database is not.
    /// </summary>
    [Theory]
    [InlineData("dbs/tests/colls/absent/docs/1", null)]
    [InlineData("dbs/absent/colls/absent/docs/1", "1003")]
    [InlineData("dbs/absent/colls/absent", "1003")]
    [InlineData("dbs/tests/colls/absent", null)]
    public async Task Gateway_OfWhatIsNotThere_Is404WithTheSubStatusOfTheService(string path, string? subStatus)
    {
        await AccountClients.CreateContainerAsync(fixture.Client(ConnectionMode.Gateway));
        using var wire = new WireClient(fixture.Account);

        using HttpResponseMessage response = await wire.SendAsync(
            HttpMethod.Get, path, change: request => request.Headers.Add("x-ms-documentdb-partitionkey", """["k"]"""));

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Equal(subStatus, response.Headers.TryGetValues("x-ms-substatus", out IEnumerable<string>? values) ? values.Single() : null);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task StaleEtag_Is412WithTheServicesText(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));
        var item = new Item { Id = "1", Key = "k" };
        string etag = (await container.CreateItemAsync(item, Key, cancellationToken: Token)).ETag;
        await container.ReplaceItemAsync(item, "1", Key, cancellationToken: Token);

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReplaceItemAsync(item, "1", Key, new ItemRequestOptions { IfMatchEtag = etag }, Token));

        Assert.Equal(HttpStatusCode.PreconditionFailed, e.StatusCode);
        Assert.Contains("One of the specified pre-condition is not met", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Replicas have a form of error of their own, which the SDK shows as it is.</summary>
    [Fact]
    public async Task Direct_NamesErrorsAsReplicasDo()
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(ConnectionMode.Direct));
        await container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token);

        CosmosException missing = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReadItemAsync<Item>("2", Key, cancellationToken: Token));
        CosmosException taken = await Assert.ThrowsAsync<CosmosException>(
            () => container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token));

        Assert.Equal(
            ["Errors : [", "\"Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found\"", "]"], Lines(missing));
        Assert.Equal(["Errors : [", "\"Resource with specified id or name already exists.\"", "]"], Lines(taken));

        static string[] Lines(CosmosException e) =>
            e.ResponseBody.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Whoever says which container is meant gets no other, however often the SDK reads it again.</summary>
    [Theory]
    [InlineData(ConnectionMode.Gateway, false)]
    [InlineData(ConnectionMode.Direct, false)]
    [InlineData(ConnectionMode.Direct, true)]
    public async Task Create_InAContainerThatWasCreatedAgain_Is400With1024WhereTheFormerIsMeant(ConnectionMode mode, bool isBulk)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode, isBulk));
        string rid = (await container.ReadContainerAsync(cancellationToken: Token)).Resource.SelfLink.Split('/')[3];
        await container.DeleteContainerAsync(cancellationToken: Token);
        await container.Database.CreateContainerAsync(container.Id, "/pk", cancellationToken: Token);
        var options = new ItemRequestOptions
        {
            AddRequestHeaders = headers =>
            {
                headers["x-ms-cosmos-is-client-encrypted"] = "True";
                headers["x-ms-cosmos-intended-collection-rid"] = rid;
            },
        };

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, options, Token));
        ItemResponse<Item> created = await container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, cancellationToken: Token);

        Assert.Equal((HttpStatusCode.BadRequest, 1024), (e.StatusCode, e.SubStatusCode));
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
    }

    /// <summary>Clients of the gateway read the container again when they see it.</summary>
    [Fact]
    public async Task Gateway_OfAContainerThatWasCreatedAgain_Is400With1024()
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(ConnectionMode.Gateway));
        using var wire = new WireClient(fixture.Account);

        using HttpResponseMessage response = await wire.SendAsync(
            HttpMethod.Post, $"dbs/tests/colls/{container.Id}/docs", """{"id":"1","pk":"k"}""", request =>
            {
                request.Headers.Add("x-ms-documentdb-partitionkey", """["k"]""");
                request.Headers.Add("x-ms-cosmos-intended-collection-rid", "AAAAAAAAAAA=");
            });

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Equal("1024", response.Headers.GetValues("x-ms-substatus").Single());
    }
}
