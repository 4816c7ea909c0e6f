using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class ReadManyTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 120;

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadMany_OfSomeKeys_GivesThoseThatAreThere(ConnectionMode mode)
    {
        Container container = await FillAsync(mode, "/pk");
        List<(string Id, PartitionKey Key)> asked =
            [.. Enumerable.Range(0, Documents + 20).Where(i => i % 3 == 0).Select(i => ($"{i}", new PartitionKey($"k{i % 25}")))];
        // The id is there, but under another key.
        asked.Add(("1", new PartitionKey("k2")));

        FeedResponse<Item> found = await container.ReadManyItemsAsync<Item>(asked, cancellationToken: Token);

        Assert.Equal(
            Enumerable.Range(0, Documents).Where(i => i % 3 == 0).Select(i => $"{i}").Order(), found.Select(item => item.Id).Order());
        Assert.True(found.RequestCharge > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadMany_OfIdsThatAreTheKey_GivesThoseThatAreThere(ConnectionMode mode)
    {
        Container container = await FillAsync(mode, "/id");
        List<(string Id, PartitionKey Key)> asked = [.. Enumerable.Range(100, 60).Select(i => ($"{i}", new PartitionKey($"{i}")))];

        FeedResponse<Item> found = await container.ReadManyItemsAsync<Item>(asked, cancellationToken: Token);

        Assert.Equal(Enumerable.Range(100, 20).Select(i => $"{i}"), found.Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_WithASessionAheadOfThePartition_WaitsOrIs404With1002(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        ItemResponse<Item> created = await container.AddAsync(Item(1));
        (string partition, long lsn) = Parse(created.Headers.Session);
        string ahead = $"{partition}:-1#{lsn + 2}";
        var options = new ItemRequestOptions { SessionToken = ahead };

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReadItemAsync<Item>("1", new PartitionKey("k1"), options, Token));

        Assert.Equal((HttpStatusCode.NotFound, 1002), (e.StatusCode, e.SubStatusCode));
        for (int i = 2; i < 4; i++)
            await container.AddAsync(Item(i) with { Key = "k1" });
        Assert.Equal(1, (await container.ReadItemAsync<Item>("1", new PartitionKey("k1"), options, Token)).Resource.Value);
        using FeedIterator<Item> query = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c", requestOptions: new QueryRequestOptions { PartitionKey = new PartitionKey("k1"), SessionToken = ahead });
        Assert.Equal(3, (await query.ReadNextAsync(Token)).Count);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithASessionAheadOfThePartition_Is404With1002(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        ItemResponse<Item> created = await container.AddAsync(Item(1));
        (string partition, long lsn) = Parse(created.Headers.Session);

        Assert.Equal("1", Assert.Single(await QueryAsync(created.Headers.Session)).Id);
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => QueryAsync($"{partition}:-1#{lsn + 1}"));

        Assert.Equal((HttpStatusCode.NotFound, 1002), (e.StatusCode, e.SubStatusCode));

        async Task<FeedResponse<Item>> QueryAsync(string session)
        {
            using FeedIterator<Item> query = container.GetItemQueryIterator<Item>("SELECT * FROM c", requestOptions: new QueryRequestOptions
            {
                PartitionKey = new PartitionKey("k1"), SessionToken = session,
            });
            return await query.ReadNextAsync(Token);
        }
    }

    /// <summary>The .NET SDK does not show the headers of a query's page, so it is asked without it.</summary>
    [Fact]
    public async Task Query_OfOneKey_HasThePartitionsSession_AlsoWhenItIsAskedForMore()
    {
        Container container = await CreateContainerAsync();
        ItemResponse<Item> created = await container.AddAsync(Item(1));
        (string partition, long lsn) = Parse(created.Headers.Session);
        using var wire = new WireClient(Account);

        foreach ((long asked, HttpStatusCode expected) in new[] { (lsn, HttpStatusCode.OK), (lsn + 1, HttpStatusCode.NotFound) })
        {
            using HttpResponseMessage response = await wire.SendAsync(
                HttpMethod.Post, $"dbs/tests/colls/{container.Id}/docs", """{"query":"SELECT * FROM c"}"""u8.ToArray(), request =>
                {
                    request.Content!.Headers.TryAddWithoutValidation("Content-Type", "application/query+json");
                    request.Headers.Add("x-ms-documentdb-isquery", "True");
                    request.Headers.Add("x-ms-documentdb-partitionkey", """["k1"]""");
                    request.Headers.Add("x-ms-session-token", $"{partition}:-1#{asked}");
                });

            Assert.Equal(expected, response.StatusCode);
            Assert.Equal(created.Headers.Session, response.Headers.GetValues("x-ms-session-token").Single());
            Assert.Equal($"{lsn}", response.Headers.GetValues("lsn").Single());
        }
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 25}", Value = i };

    private static (string Partition, long Lsn) Parse(string session)
    {
        string[] parts = session.Split(':', '#');
        return (parts[0], long.Parse(parts[^1], System.Globalization.CultureInfo.InvariantCulture));
    }

    private Task<Container> FillAsync(ConnectionMode mode, string path) => FillAsync(
        mode, Enumerable.Range(0, Documents).Select(i => (Item(i), path == "/id" ? $"{i}" : $"k{i % 25}")),
        new ContainerProperties { PartitionKeyPath = path, PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 });
}
