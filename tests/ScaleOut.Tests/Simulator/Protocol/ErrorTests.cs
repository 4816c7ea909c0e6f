using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Statuses, sub-statuses and texts that clients decide by.</summary>
public sealed class ErrorTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>At Session consistency the SDK looks for the container of a read in both modes, and names what it does not find.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Item_OfWhatIsNotThere_Is404WithTheSubStatusOfWhatIsMissing(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
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
        await CreateContainerAsync();

        using HttpResponseMessage response = await SendAsync(HttpMethod.Get, path, null, ("x-ms-documentdb-partitionkey", """["k"]"""));

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Equal(subStatus, response.Headers.TryGetValues("x-ms-substatus", out IEnumerable<string>? values) ? values.Single() : null);
    }

    /// <summary>Replicas have a form of error of their own, which the SDK shows as it is.</summary>
    [Fact]
    public async Task Direct_NamesErrorsAsReplicasDo()
    {
        Container container = await CreateContainerAsync(ConnectionMode.Direct);
        await container.AddAsync(new Item { Id = "1", Key = "k" });

        CosmosException missing = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReadItemAsync<Item>("2", Key, cancellationToken: Token));
        CosmosException taken = await Assert.ThrowsAsync<CosmosException>(() => container.AddAsync(new Item { Id = "1", Key = "k" }));

        Assert.Equal(["Errors : [", "\"Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found\"", "]"], Lines(missing));
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
        Container container = await CreateContainerAsync(mode, isBulk);
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
        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });

        Assert.Equal((HttpStatusCode.BadRequest, 1024), (e.StatusCode, e.SubStatusCode));
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
    }
}
