using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ReadManyTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 120;

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadMany_OfSomeKeys_ReturnsThoseThatExist(ConnectionMode mode)
    {
        var container = await FillAsync(mode, "/pk");
        List<(string Id, PartitionKey Key)> asked =
            [.. Enumerable.Range(0, Documents + 20).Where(i => i % 3 == 0).Select(i => ($"{i}", new PartitionKey($"k{i % 25}")))];
        // This id exists under another key.
        asked.Add(("1", new PartitionKey("k2")));

        var found = await container.ReadManyItemsAsync<Item>(asked, cancellationToken: Token);

        Assert.Equal(
            Enumerable.Range(0, Documents).Where(i => i % 3 == 0).Select(i => $"{i}").Order(), found.Select(item => item.Id).Order());
        Assert.True(found.RequestCharge > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadMany_OfIdsThatAreTheKey_ReturnsThoseThatExist(ConnectionMode mode)
    {
        var container = await FillAsync(mode, "/id");
        List<(string Id, PartitionKey Key)> asked = [.. Enumerable.Range(100, 60).Select(i => ($"{i}", new PartitionKey($"{i}")))];
        var found = await container.ReadManyItemsAsync<Item>(asked, cancellationToken: Token);
        Assert.Equal(Enumerable.Range(100, 20).Select(i => $"{i}"), found.Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_WithASessionAheadOfThePartition_Is404With1002UntilItIsReached(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(Item(1));
        (var partition, var lsn) = Parse(created.Headers.Session);
        var ahead = $"{partition}:-1#{lsn + 2}";
        var options = new ItemRequestOptions { SessionToken = ahead };

        await FailsAsync(HttpStatusCode.NotFound, () => container.ReadItemAsync<Item>("1", new PartitionKey("k1"), options, Token), 1002);
        for (var i = 2; i < 4; i++)
            await container.AddAsync(Item(i) with { Key = "k1" });
        Assert.Equal(1, (await container.ReadItemAsync<Item>("1", new PartitionKey("k1"), options, Token)).Resource.Value);
        var found = await container.QueryAsync<Item>(
            "SELECT * FROM c", new QueryRequestOptions { PartitionKey = new PartitionKey("k1"), SessionToken = ahead });
        Assert.Equal(3, found.Count);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithASessionAheadOfThePartition_Is404With1002(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = await container.AddAsync(Item(1));
        (var partition, var lsn) = Parse(created.Headers.Session);
        Assert.Equal("1", Assert.Single(await QueryAsync(created.Headers.Session)).Id);
        await FailsAsync(HttpStatusCode.NotFound, () => QueryAsync($"{partition}:-1#{lsn + 1}"), 1002);

        Task<List<Item>> QueryAsync(string session) => container.QueryAsync<Item>(
            "SELECT * FROM c", new QueryRequestOptions { PartitionKey = new PartitionKey("k1"), SessionToken = session });
    }

    /// <summary>The .NET SDK does not show the headers of a query's page, so the test sends its own request.</summary>
    [Fact]
    public async Task Query_OfOneKey_ReturnsThePartitionsSessionAlsoWithA404()
    {
        var container = await CreateContainerAsync();
        var created = await container.AddAsync(Item(1));
        (var partition, var lsn) = Parse(created.Headers.Session);
        using var wire = new WireClient(Account);
        foreach ((var asked, var expected) in new[] { (lsn, HttpStatusCode.OK), (lsn + 1, HttpStatusCode.NotFound) })
        {
            using var response = await wire.SendAsync(
                HttpMethod.Post, DocumentsOf(container), """{"query":"SELECT * FROM c"}"""u8.ToArray(), request =>
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
        var parts = session.Split(':', '#');
        return (parts[0], long.Parse(parts[^1], CultureInfo.InvariantCulture));
    }

    private Task<Container> FillAsync(ConnectionMode mode, string path) => FillAsync(
        mode, Enumerable.Range(0, Documents).Select(i => (Item(i), path == "/id" ? $"{i}" : $"k{i % 25}")), AccountClients.Keyed(path));
}
