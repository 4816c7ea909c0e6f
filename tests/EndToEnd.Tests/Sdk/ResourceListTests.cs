using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Lists of databases, containers and offers, and offers by their ids.</summary>
public sealed class ResourceListTests(AccountFixture fixture) : AccountTests(fixture)
{
    /// <summary>Programs may delete what a page lists and still see all of the next page.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Containers_WithPageSize_ComeInPages(ConnectionMode mode)
    {
        var database = await CreateAsync(mode);
        foreach (var name in (string[])["e", "a", "d", "b", "c"])
            await database.CreateContainerAsync(name, "/pk", cancellationToken: Token);
        var pages = new List<string>();
        using var iterator = database.GetContainerQueryIterator<ContainerProperties>(requestOptions: new() { MaxItemCount = 2 });
        while (iterator.HasMoreResults)
        {
            var page = await iterator.ReadNextAsync(Token);
            pages.Add(string.Concat(page.Select(container => container.Id)));
            await database.GetContainer(page.First().Id).DeleteContainerAsync(cancellationToken: Token);
        }

        Assert.Equal(["ea", "db", "c"], pages);
        await database.DeleteAsync(cancellationToken: Token);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Databases_Query_SelectsAndCounts(ConnectionMode mode)
    {
        var database = await CreateAsync(mode);
        var other = await CreateAsync(mode);
        var client = Client(mode);
        var options = new QueryRequestOptions { MaxItemCount = 1 };
        using var one = client.GetDatabaseQueryIterator<DatabaseProperties>(
            new QueryDefinition("select c.id from c where c.id = @id").WithParameter("@id", database.Id), requestOptions: options);
        Assert.Equal(database.Id, Assert.Single(await one.ReadNextAsync(Token)).Id);
        Assert.False(one.HasMoreResults);
        var ids = new List<string>();
        using var all = client.GetDatabaseQueryIterator<string>("select value c.id from c", requestOptions: options);
        while (all.HasMoreResults)
            ids.Add(Assert.Single(await all.ReadNextAsync(Token)));

        Assert.Contains(database.Id, ids);
        Assert.Contains(other.Id, ids);
        await database.DeleteAsync(cancellationToken: Token);
        await other.DeleteAsync(cancellationToken: Token);
    }

    /// <summary>Only the first row of a resource would be returned.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Databases_QueryOfRows_IsBadRequest(ConnectionMode mode)
    {
        using var rows = Client(mode).GetDatabaseQueryIterator<int>("SELECT VALUE x FROM c JOIN x IN (SELECT VALUE [1, 2])");
        await FailsAsync(HttpStatusCode.BadRequest, () => rows.ReadNextAsync(Token));
    }

    [Theory]
    [InlineData("x-ms-continuation", "nonsense")]
    [InlineData("x-ms-max-item-count", "nonsense")]
    [InlineData("x-ms-max-item-count", "-2")]
    [InlineData("x-ms-consistency-level", "3")]
    [InlineData("x-ms-consistency-level", "Strong, Eventual")]
    public async Task List_InvalidHeader_Is400(string name, string value)
    {
        using var response = await SendAsync(HttpMethod.Get, "/dbs", null, (name, value));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    [Theory]
    [InlineData("2026-11-24T00:00:00Z", HttpStatusCode.BadRequest)]
    [InlineData("yesterday", HttpStatusCode.BadRequest)]
    [InlineData("Tue, 3 Nov 2020 00:00:00 GMT", HttpStatusCode.NotModified)]
    [InlineData("Tue, 03 Nov 2020 00:00:00 GMT", HttpStatusCode.NotModified)]
    public async Task ChangeFeed_ModifiedSince_IsATimeOfRfc1123(string since, HttpStatusCode expected)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Get, DocumentsOf(container), null,
            ("A-IM", "Incremental Feed"), ("If-Modified-Since", since), ("x-ms-documentdb-partitionkeyrangeid", "0"));
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData("_rid", "other", HttpStatusCode.BadRequest)]
    [InlineData("id", null, HttpStatusCode.BadRequest)]
    [InlineData("_ts", null, HttpStatusCode.OK)]
    public async Task Offer_ReplacedByAnotherOffer_Is400(string property, string? value, HttpStatusCode expected)
    {
        var container = await CreateContainerAsync(throughput: 1_000);
        var offer = await OfferOfAsync(await container.RidAsync());
        var path = $"/offers/{offer["id"]}";
        offer[property] = value;
        using var response = await SendAsync(HttpMethod.Put, path, offer.ToJsonString());
        Assert.Equal(expected, response.StatusCode);
    }

    private async Task<Database> CreateAsync(ConnectionMode mode) =>
        (await Client(mode).CreateDatabaseAsync($"d-{Guid.NewGuid():N}", cancellationToken: Token)).Database;
}
