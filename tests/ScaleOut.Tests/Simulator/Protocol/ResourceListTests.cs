using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Lists of databases, containers and offers, and offers by their ids.</summary>
public sealed class ResourceListTests(AccountFixture fixture) : AccountTests(fixture)
{
    /// <summary>Programs that delete what a page lists still see all of the next page.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Containers_WithPageSize_ComeInPages(ConnectionMode mode)
    {
        Database database = await CreateAsync(mode);
        string[] names = ["e", "a", "d", "b", "c"];
        foreach (string name in names)
            await database.CreateContainerAsync(name, "/pk", cancellationToken: Token);
        var options = new QueryRequestOptions { MaxItemCount = 2 };
        var pages = new List<string>();

        using FeedIterator<ContainerProperties> iterator = database.GetContainerQueryIterator<ContainerProperties>(requestOptions: options);
        while (iterator.HasMoreResults)
        {
            FeedResponse<ContainerProperties> page = await iterator.ReadNextAsync(Token);
            pages.Add(string.Concat(page.Select(container => container.Id)));
            await database.GetContainer(page.First().Id).DeleteContainerAsync(cancellationToken: Token);
        }

        Assert.Equal(["ea", "db", "c"], pages);
        await database.DeleteAsync(cancellationToken: Token);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Databases_Query_SelectsAndCounts(ConnectionMode mode)
    {
        Database database = await CreateAsync(mode);
        Database other = await CreateAsync(mode);
        CosmosClient client = Client(mode);
        var options = new QueryRequestOptions { MaxItemCount = 1 };

        using FeedIterator<DatabaseProperties> one = client.GetDatabaseQueryIterator<DatabaseProperties>(
            new QueryDefinition("select c.id from c where c.id = @id").WithParameter("@id", database.Id), requestOptions: options);
        Assert.Equal(database.Id, Assert.Single(await one.ReadNextAsync(Token)).Id);
        Assert.False(one.HasMoreResults);
        var ids = new List<string>();
        using FeedIterator<string> all = client.GetDatabaseQueryIterator<string>("select value c.id from c", requestOptions: options);
        while (all.HasMoreResults)
            ids.Add(Assert.Single(await all.ReadNextAsync(Token)));

        Assert.Contains(database.Id, ids);
        Assert.Contains(other.Id, ids);
        await database.DeleteAsync(cancellationToken: Token);
        await other.DeleteAsync(cancellationToken: Token);
    }

    [Theory]
    [InlineData("x-ms-continuation", "nonsense")]
    [InlineData("x-ms-max-item-count", "nonsense")]
    [InlineData("x-ms-max-item-count", "-2")]
    [InlineData("x-ms-consistency-level", "3")]
    [InlineData("x-ms-consistency-level", "Strong, Eventual")]
    public async Task List_InvalidHeader_Is400(string name, string value)
    {
        using HttpResponseMessage response = await SendAsync(HttpMethod.Get, "/dbs", null, (name, value));

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    [Theory]
    [InlineData("2026-11-24T00:00:00Z", HttpStatusCode.BadRequest)]
    [InlineData("yesterday", HttpStatusCode.BadRequest)]
    [InlineData("Tue, 3 Nov 2020 00:00:00 GMT", HttpStatusCode.NotModified)]
    [InlineData("Tue, 03 Nov 2020 00:00:00 GMT", HttpStatusCode.NotModified)]
    public async Task ChangeFeed_ModifiedSince_IsATimeOfRfc1123(string since, HttpStatusCode expected)
    {
        Container container = await CreateContainerAsync();

        using HttpResponseMessage response = await SendAsync(
            HttpMethod.Get, $"dbs/tests/colls/{container.Id}/docs", null,
            ("A-IM", "Incremental Feed"), ("If-Modified-Since", since), ("x-ms-documentdb-partitionkeyrangeid", "0"));

        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData("_rid", "other", HttpStatusCode.BadRequest)]
    [InlineData("id", null, HttpStatusCode.BadRequest)]
    [InlineData("_ts", null, HttpStatusCode.OK)]
    public async Task Offer_ReplacedByOneThatNamesAnother_Is400(string property, string? value, HttpStatusCode expected)
    {
        Container container = await CreateContainerAsync(ConnectionMode.Gateway, throughput: 1_000);
        string rid = (await container.ReadContainerAsync(cancellationToken: Token)).Resource.SelfLink.Split('/')[3];
        using HttpResponseMessage offers = await SendAsync(HttpMethod.Get, "/offers");
        JsonNode offer = JsonNode.Parse(await offers.Content.ReadAsStringAsync(Token))!["Offers"]!.AsArray()
            .Single(one => (string)one!["offerResourceId"]! == rid)!;
        string path = $"/offers/{offer["id"]}";
        offer[property] = value;

        using HttpResponseMessage response = await SendAsync(HttpMethod.Put, path, offer.ToJsonString());

        Assert.Equal(expected, response.StatusCode);
    }

    private async Task<Database> CreateAsync(ConnectionMode mode) =>
        (await Client(mode).CreateDatabaseAsync($"d-{Guid.NewGuid():N}", cancellationToken: Token)).Database;
}
