using System.Net.Http.Json;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class SimulatedAccountTests : SdkTests
{
    /// <summary>Another process may take a port that has just become free.</summary>
    private const int Attempts = 5;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public static TheoryData<ConnectionMode> Modes => [.. Enum.GetValues<ConnectionMode>()];

    [Fact]
    public async Task Control_Ledger_IsOfTheAccount()
    {
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new AccountSettings(), throughput: 60_000);
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
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new AccountSettings());
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
            () => SimulatedAccount.StartAsync(new AccountSettings { HttpPort = port }, Token));
        Assert.Equal(port, e.Port);
        Assert.Contains($"{port}", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("not base64!")]
    [InlineData("")]
    public async Task Start_BadKey_IsRejected(string key) =>
        await Assert.ThrowsAsync<ArgumentException>(() => SimulatedAccount.StartAsync(new AccountSettings { Key = key }, Token));

    [Theory]
    [InlineData(0)]
    [InlineData(4_097)]
    public async Task Start_BadPartitions_IsRejected(int partitions) => await Assert.ThrowsAsync<ArgumentException>(
        () => SimulatedAccount.StartAsync(new AccountSettings { PhysicalPartitions = partitions }, Token));

    [Fact]
    public async Task Start_SameKeyAgain_IsUsed()
    {
        await using var first = await AccountClients.StartAsync();
        await using var second = await SimulatedAccount.StartAsync(new AccountSettings { Key = first.Key }, Token);
        await using var third = await AccountClients.StartAsync();
        Assert.Equal(first.Key, second.Key);
        Assert.NotEqual(first.Key, third.Key);
    }

    [Fact]
    public async Task Consistency_OfTheAccount_LimitsWhatClientsMayAskFor()
    {
        await using var account = await AccountClients.StartAsync(
            new AccountSettings { Consistency = ScaleOut.Specs.ConsistencyLevel.Eventual });
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
            ConnectionMode.Gateway, new AccountSettings { Latency = new LatencyProfile { RoundTripMs = 40 } });
        var start = Stopwatch.GetTimestamp();
        await own.Container.AddAsync(new Item { Id = "1", Key = "k" });
        Assert.True(Stopwatch.GetElapsedTime(start).TotalMilliseconds >= 39.5);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task CreateClient_OfEitherMode_ReachesTheAccount(ConnectionMode mode)
    {
        await using var account = await SimulatedAccount.StartAsync(cancellationToken: Token);
        await AssertWorksAsync(account, account.CreateClient(options => options.ConnectionMode = mode));
        Assert.Equal(mode == ConnectionMode.Direct, account.OpenDirectConnections > 0);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ConnectionString_OfAClientOfItsOwn_IsAllThatItNeeds(ConnectionMode mode)
    {
        await using var account = await SimulatedAccount.StartAsync(cancellationToken: Token);
        using var client = new CosmosClient(account.ConnectionString, new CosmosClientOptions { ConnectionMode = mode });
        await AssertWorksAsync(account, client);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task StartAsync_SeveralAtOnce_ShareNothing(ConnectionMode mode)
    {
        var accounts = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => SimulatedAccount.StartAsync(cancellationToken: Token)));
        try
        {
            var ids = await Task.WhenAll(accounts.Select(async (account, number) =>
            {
                var container = await AccountClients.CreateContainerAsync(
                    account.CreateClient(options => options.ConnectionMode = mode), properties: AccountClients.Keyed("/pk", id: "one"));
                await container.AddAsync(new Item { Id = $"{number}", Key = "k" });
                return (await container.QueryAsync<Item>()).Select(item => item.Id);
            }));

            Assert.Equal(["0", "1", "2", "3"], ids.Select(Assert.Single));
            Assert.Equal(4, accounts.Select(account => account.Key).Distinct().Count());
            using var foreign = AccountClients.Create(accounts[0], mode, key: accounts[1].Key);
            await FailsAsync(HttpStatusCode.Unauthorized, foreign.ReadAccountAsync);
        }
        finally
        {
            await Task.WhenAll(accounts.Select(account => account.DisposeAsync().AsTask()));
        }
    }

    [Fact]
    public async Task DisposeAsync_OfAUsedAccount_FreesItsPorts()
    {
        for (var attempt = 1; ; attempt++)
        {
            var account = await SimulatedAccount.StartAsync(cancellationToken: Token);
            var container = await AssertWorksAsync(account, account.CreateClient());
            var direct = (await DirectTarget.FindAsync(account, container)).Port;
            await account.DisposeAsync();

            var same = new AccountSettings
            {
                HttpsPort = account.HttpsEndpoint.Port, HttpPort = account.HttpEndpoint.Port, ControlPort = direct,
            };
            try
            {
                await using var again = await SimulatedAccount.StartAsync(same, Token);
                Assert.Equal(account.HttpsEndpoint, again.HttpsEndpoint);
                return;
            }
            catch (PortInUseException) when (attempt < Attempts)
            {
                // Another process was quicker: once more, with other ports.
            }
        }
    }

    [Fact]
    public async Task DisposeAsync_OfAnAccountWithClients_EndsThem()
    {
        var account = await SimulatedAccount.StartAsync(cancellationToken: Token);
        var client = account.CreateClient();
        await AssertWorksAsync(account, client);
        await account.DisposeAsync();
        await account.DisposeAsync();

        await Assert.ThrowsAnyAsync<ObjectDisposedException>(client.ReadAccountAsync);
        Assert.Throws<ObjectDisposedException>(() => account.CreateClient());
    }

    /// <summary>A test runner may have a context that runs nothing while a test waits.</summary>
    [Fact]
    public async Task StartAsync_WhileTheCallersContextIsBlocked_StartsServesAndEnds()
    {
        var account = await WithStuckContext(() => SimulatedAccount.StartAsync(cancellationToken: Token)).WaitAsync(Patience, Token);
        await AssertWorksAsync(account, account.CreateClient());
        await WithStuckContext(() => account.DisposeAsync().AsTask()).WaitAsync(Patience, Token);
    }

    [Fact]
    public async Task StopAsync_OfADataFolder_KeepsWhatDisposeAsyncDoesNot()
    {
        using var folder = new TemporaryFolder();
        var options = new SimulatedAccountOptions { DataFolder = folder.Path };
        await using (var first = await SimulatedAccount.StartAsync(options, Token))
        {
            await AssertWorksAsync(first, first.CreateClient());
            await first.StopAsync();
        }

        await using (var second = await SimulatedAccount.StartAsync(options, Token))
            await second.CreateClient().GetContainer("tests", "works").AddAsync(new Item { Id = "lost", Key = "k" });

        await using var third = await SimulatedAccount.StartAsync(options, Token);
        var kept = await third.CreateClient().GetContainer("tests", "works").QueryAsync<Item>();
        Assert.Equal("1", Assert.Single(kept).Id);
    }

    [Fact]
    public async Task StopAsync_ASecondTime_LeavesTheFolderToItsNextAccount()
    {
        using var folder = new TemporaryFolder();
        var options = new SimulatedAccountOptions { DataFolder = folder.Path };
        var first = await SimulatedAccount.StartAsync(options, Token);
        await first.StopAsync();
        await using (var second = await SimulatedAccount.StartAsync(options, Token))
        {
            await AssertWorksAsync(second, second.CreateClient());
            await second.StopAsync();
        }

        await first.StopAsync();

        await using var third = await SimulatedAccount.StartAsync(options, Token);
        Assert.Single(await third.CreateClient().GetContainer("tests", "works").QueryAsync<Item>());
    }

    [Fact]
    public async Task StopAsync_AfterDisposeAsync_SaysThatNothingIsKept()
    {
        var account = await SimulatedAccount.StartAsync(cancellationToken: Token);
        await account.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(account.StopAsync);
    }

    private static async Task<Container> AssertWorksAsync(SimulatedAccount account, CosmosClient client)
    {
        var container = await AccountClients.CreateContainerAsync(client, properties: AccountClients.Keyed("/pk", id: "works"));
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        Assert.Equal("k", (await container.ReadAsync("1", new PartitionKey("k"))).Resource.Key);
        Assert.Equal(1, account.ReadLedger().Documents.Created);
        return container;
    }

    private static T WithStuckContext<T>(Func<T> start)
    {
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new StuckContext());
        try
        {
            return start();
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    private sealed class StuckContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state)
        {
        }
    }
}
