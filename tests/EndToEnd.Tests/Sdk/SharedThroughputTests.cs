using Microsoft.Azure.Cosmos;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Throughput of a database. The clock stands still, so no new request units are added.</summary>
public sealed class SharedThroughputTests : ModesTests
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_ContainersWithoutThroughput_ShareThatOfTheDatabase(Mode mode)
    {
        await using var own = await StartAsync(mode);
        (var database, var first, var second) = await ShareAsync(own.Client);
        Container separate = await database.CreateContainerAsync(new ContainerProperties("own", "/pk"), 400, cancellationToken: Token);
        (var written, var charged) = await WriteUntilThrottledAsync(first);
        using var other = await second.AddIdAsync();
        (var ownWritten, _) = await WriteUntilThrottledAsync(separate);
        await database.ReplaceThroughputAsync(500, cancellationToken: Token);
        (var more, _) = await WriteUntilThrottledAsync(second);

        Assert.InRange(charged, 400, 410);
        Assert.Equal(HttpStatusCode.TooManyRequests, other.StatusCode);
        Assert.Equal(written, ownWritten);
        Assert.InRange(more, 1, written);
        Assert.Equal(500, await database.ReadThroughputAsync(Token));
        Assert.Null(await first.ReadThroughputAsync(Token));
        Assert.Equal(400, await separate.ReadThroughputAsync(Token));
        var ledger = own.Account.ReadLedger().Containers.Single(one => one.Name == "first");
        Assert.Equal((500, 1L), (ledger.Throughput, ledger.Operations.Create.Throttled));
    }

    [Fact]
    public async Task Split_SharedThroughput_KeepsTheBudgetOfTheDatabase()
    {
        await using var own = await StartAsync(Mode.Gateway);
        (_, var first, var second) = await ShareAsync(own.Client);
        await AccountClients.ChangeAsync(own.Account, "split", first, 0);
        (_, var charged) = await WriteUntilThrottledAsync(first);
        Assert.InRange(charged, 400, 410);
        using var other = await second.AddIdAsync();
        Assert.Equal(HttpStatusCode.TooManyRequests, other.StatusCode);
    }

    [Fact]
    public async Task Autoscale_OfADatabase_IsReadAndReplaced()
    {
        await using var own = await StartAsync(Mode.Gateway);
        Database database = await own.Client.CreateDatabaseAsync(
            "shared", ThroughputProperties.CreateAutoscaleThroughput(4_000), cancellationToken: Token);
        var read = await database.ReadThroughputAsync(new RequestOptions(), Token);
        var replaced = await database.ReplaceThroughputAsync(
            ThroughputProperties.CreateAutoscaleThroughput(10_000), cancellationToken: Token);
        Assert.Equal((4_000, 10_000), (read.Resource.AutoscaleMaxThroughput, replaced.Resource.AutoscaleMaxThroughput));
    }

    [Fact]
    public async Task Create_TwentySixthContainer_NeedsItsOwnThroughput()
    {
        await using var own = await StartAsync(Mode.Gateway);
        Database database = await own.Client.CreateDatabaseAsync("shared", throughput: 400, cancellationToken: Token);
        for (var i = 0; i < 25; i++)
            await database.CreateContainerAsync(new ContainerProperties($"c{i}", "/pk"), cancellationToken: Token);
        await FailsAsync(HttpStatusCode.BadRequest, () => database.CreateContainerAsync("c25", "/pk", cancellationToken: Token));
        await database.CreateContainerAsync(new ContainerProperties("c25", "/pk"), 400, cancellationToken: Token);
    }

    private static Task<OwnAccount> StartAsync(Mode mode) => OwnAccount.StartAsync(
        mode, new AccountSettings { PhysicalPartitions = 1 }, time: new ManualTime(DateTimeOffset.UtcNow));

    /// <summary>Creates a database of 400 RU/s and two containers that share them.</summary>
    private static async Task<(Database Database, Container First, Container Second)> ShareAsync(CosmosClient client)
    {
        Database database = await client.CreateDatabaseAsync("shared", throughput: 400, cancellationToken: Token);
        Container first = await database.CreateContainerAsync(new ContainerProperties("first", "/pk"), cancellationToken: Token);
        return (database, first, await database.CreateContainerAsync(new ContainerProperties("second", "/pk"), cancellationToken: Token));
    }

    private static async Task<(int Written, double Charged)> WriteUntilThrottledAsync(Container container)
    {
        double charged = 0;
        for (var i = 0; ; i++)
        {
            using var response = await container.AddIdAsync($"{i}");
            if (response.StatusCode == HttpStatusCode.TooManyRequests)
                return (i, charged);
            Assert.Equal(HttpStatusCode.Created, response.StatusCode);
            charged += response.Headers.RequestCharge;
        }
    }
}
