using System.Net.Http.Json;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class SimulatedAccountTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Control_Ledger_IsThatOfTheAccount()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 60_000);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        using var http = new HttpClient { BaseAddress = account.ControlEndpoint };

        AccountLedger? ledger = await http.GetFromJsonAsync<AccountLedger>("ledger", ScaleOutJson.Compact, Token);

        Assert.NotNull(ledger);
        Assert.Equal(1, ledger.Documents.Created);
        Assert.Equal(10, Assert.Single(ledger.Containers).Partitions.Count);
        Assert.Equal(6_000, ledger.Containers[0].Partitions[0].BudgetPerSecond);
        Assert.Equal(account.ReadLedger().Operations, ledger.Operations);
        Assert.True(ledger.WireRequests >= 4);
        Assert.Equal(0, ledger.RejectedRequests);
        using HttpResponseMessage guessed = await http.GetAsync(new Uri("/ledger", UriKind.Relative), Token);
        Assert.Equal(HttpStatusCode.NotFound, guessed.StatusCode);
    }

    [Fact]
    public async Task Control_Shutdown_AsksTheHostToEnd()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None }, Token);
        using var http = new HttpClient { BaseAddress = account.ControlEndpoint };

        Assert.False(account.ShutdownRequested.IsCompleted);
        using HttpResponseMessage response = await http.PostAsync(new Uri("shutdown", UriKind.Relative), null, Token);

        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        await account.ShutdownRequested.WaitAsync(TimeSpan.FromSeconds(30), Token);
    }

    [Fact]
    public async Task Ledger_OfADeletedContainer_IsKept()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.DeleteContainerAsync(cancellationToken: Token);

        AccountLedger ledger = account.ReadLedger();

        Assert.Equal(1, ledger.Documents.Created);
        ContainerLedger deleted = Assert.Single(ledger.Containers);
        Assert.True(deleted.Deleted);
        Assert.Equal(1, deleted.DocumentCount);
        Assert.Equal(0, deleted.Partitions.Sum(partition => partition.Documents));
    }

    [Fact]
    public async Task Start_PortInUse_SaysWhich()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions(), Token);
        int port = account.HttpsEndpoint.Port;

        PortInUseException e = await Assert.ThrowsAsync<PortInUseException>(
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
        await using SimulatedAccount first = await SimulatedAccount.StartAsync(new SimulatedAccountOptions(), Token);
        await using SimulatedAccount second = await SimulatedAccount.StartAsync(new SimulatedAccountOptions { Key = first.Key }, Token);
        await using SimulatedAccount third = await SimulatedAccount.StartAsync(new SimulatedAccountOptions(), Token);

        Assert.Equal(first.Key, second.Key);
        Assert.NotEqual(first.Key, third.Key);
    }

    [Fact]
    public async Task Consistency_OfTheAccount_LimitsWhatClientsMayAskFor()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, Consistency = ScaleOut.Specs.ConsistencyLevel.Eventual }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        using var wire = new WireClient(account);

        using HttpResponseMessage stronger = await wire.SendAsync(
            HttpMethod.Get, "/dbs", null, ("x-ms-consistency-level", "ConsistentPrefix"));

        Assert.Equal(
            Microsoft.Azure.Cosmos.ConsistencyLevel.Eventual, (await client.ReadAccountAsync()).Consistency.DefaultConsistencyLevel);
        Assert.Equal(HttpStatusCode.BadRequest, stronger.StatusCode);
    }

    [Fact]
    public async Task Latency_SameRegion_IsFeltByTheClient()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = new LatencyProfile { RoundTripMs = 40 } }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client);
        long start = System.Diagnostics.Stopwatch.GetTimestamp();

        await container.AddAsync(new Item { Id = "1", Key = "k" });

        Assert.True(System.Diagnostics.Stopwatch.GetElapsedTime(start).TotalMilliseconds >= 39.5);
    }
}
