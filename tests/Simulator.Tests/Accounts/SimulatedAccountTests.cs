using System.Net.Http.Json;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class SimulatedAccountTests : SdkTests
{
    [Fact]
    public async Task Control_Ledger_IsOfTheAccount()
    {
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new SimulatedAccountOptions(), throughput: 60_000);
        await own.Container.AddAsync(new Item { Id = "1", Key = "k" });
        using var http = new HttpClient { BaseAddress = own.Account.ControlEndpoint };
        var ledger = await http.GetFromJsonAsync<AccountLedger>("ledger", ScaleOutJson.Compact, Token);

        Assert.Equal(1, ledger!.Documents.Created);
        Assert.Equal(10, Assert.Single(ledger.Containers).Partitions.Count);
        Assert.Equal(6_000, ledger.Containers[0].Partitions[0].BudgetPerSecond);
        Assert.Equal(own.Account.ReadLedger().Operations, ledger.Operations);
        Assert.True(ledger.WireRequests >= 4);
        Assert.Equal(0, ledger.RejectedRequests);
        using var guessed = await http.GetAsync(new Uri("/ledger", UriKind.Relative), Token);
        Assert.Equal(HttpStatusCode.NotFound, guessed.StatusCode);
    }

    [Fact]
    public async Task Control_Shutdown_AsksTheHostToEnd()
    {
        await using var account = await AccountClients.StartAsync();
        using var http = new HttpClient { BaseAddress = account.ControlEndpoint };
        Assert.False(account.ShutdownRequested.IsCompleted);
        using var response = await http.PostAsync(new Uri("shutdown", UriKind.Relative), null, Token);
        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        await account.ShutdownRequested.WaitAsync(TimeSpan.FromMinutes(2), Token);
    }

    [Fact]
    public async Task Ledger_OfADeletedContainer_IsKept()
    {
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new SimulatedAccountOptions());
        await own.Container.AddAsync(new Item { Id = "1", Key = "k" });
        await own.Container.DeleteContainerAsync(cancellationToken: Token);
        var ledger = own.Account.ReadLedger();
        Assert.Equal(1, ledger.Documents.Created);
        var deleted = Assert.Single(ledger.Containers);
        Assert.Equal((true, 1, 0), (deleted.Deleted, deleted.DocumentCount, deleted.Partitions.Sum(partition => partition.Documents)));
    }

    [Fact]
    public async Task Start_PortInUse_NamesIt()
    {
        await using var account = await AccountClients.StartAsync();
        var port = account.HttpsEndpoint.Port;
        var e = await Assert.ThrowsAsync<PortInUseException>(
            () => SimulatedAccount.StartAsync(new SimulatedAccountOptions { HttpPort = port }, Token));
        Assert.Equal(port, e.Port);
        Assert.Contains($"{port}", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("not base64!")]
    [InlineData("")]
    public async Task Start_BadKey_IsRejected(string key) =>
        await Assert.ThrowsAsync<ArgumentException>(() => SimulatedAccount.StartAsync(new SimulatedAccountOptions { Key = key }, Token));

    [Theory]
    [InlineData(0)]
    [InlineData(4_097)]
    public async Task Start_BadPartitions_IsRejected(int partitions) =>
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => SimulatedAccount.StartAsync(new SimulatedAccountOptions { PhysicalPartitions = partitions }, Token));

    [Fact]
    public async Task Start_SameKeyAgain_IsUsed()
    {
        await using var first = await AccountClients.StartAsync();
        await using var second = await SimulatedAccount.StartAsync(new SimulatedAccountOptions { Key = first.Key }, Token);
        await using var third = await AccountClients.StartAsync();
        Assert.Equal(first.Key, second.Key);
        Assert.NotEqual(first.Key, third.Key);
    }

    [Fact]
    public async Task Consistency_OfTheAccount_LimitsWhatClientsMayAskFor()
    {
        await using var account = await AccountClients.StartAsync(
            new SimulatedAccountOptions { Consistency = ScaleOut.Specs.ConsistencyLevel.Eventual });
        using var client = AccountClients.Create(account, ConnectionMode.Gateway);
        using var wire = new WireClient(account);
        using var stronger = await wire.SendAsync(HttpMethod.Get, "/dbs", null, ("x-ms-consistency-level", "ConsistentPrefix"));
        Assert.Equal(
            Microsoft.Azure.Cosmos.ConsistencyLevel.Eventual, (await client.ReadAccountAsync()).Consistency.DefaultConsistencyLevel);
        Assert.Equal(HttpStatusCode.BadRequest, stronger.StatusCode);
    }

    [Fact]
    public async Task Latency_SameRegion_IsFeltByTheClient()
    {
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Gateway, new SimulatedAccountOptions { Latency = new LatencyProfile { RoundTripMs = 40 } });
        var start = Stopwatch.GetTimestamp();
        await own.Container.AddAsync(new Item { Id = "1", Key = "k" });
        Assert.True(Stopwatch.GetElapsedTime(start).TotalMilliseconds >= 39.5);
    }
}
