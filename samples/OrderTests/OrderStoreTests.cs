using System.Globalization;
using System.Net;
using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Accounts;
using Xunit;

namespace OrderTests;

public sealed class OrderStoreTests(AccountFixture fixture)
{
    private static readonly Order Small = new("1", "ann", 12.5);
    private static readonly Order Large = new("2", "bob", 980.25);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<ConnectionMode> Modes => [ConnectionMode.Gateway, ConnectionMode.Direct];

    [Fact]
    public void Culture_WhereOneIsExpected_IsThatOne() => Assert.Equal(
        Environment.GetEnvironmentVariable("EXPECTED_CULTURE") ?? CultureInfo.CurrentCulture.Name, CultureInfo.CurrentCulture.Name);

    [Theory, MemberData(nameof(Modes))]
    public async Task AddAsync_NewOrder_IsFound(ConnectionMode mode)
    {
        var store = await StoreAsync(mode);
        Assert.True(await store.AddAsync(Small));
        Assert.Equal(Small, await store.FindAsync("ann", "1"));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task AddAsync_TakenId_IsRefused(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small);
        Assert.False(await store.AddAsync(Small with { total = 1 }));
        Assert.Equal(12.5, await store.TotalAsync("ann"));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task AddAllAsync_OneTakenId_AddsNone(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small);
        Assert.False(await store.AddAllAsync("ann", [Small with { id = "3" }, Small]));
        Assert.Null(await store.FindAsync("ann", "3"));
        Assert.True(await store.AddAllAsync("ann", [Small with { id = "3" }, Small with { id = "4" }]));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task FindAsync_AnotherCustomersOrder_IsNull(ConnectionMode mode) =>
        Assert.Null(await (await StoreAsync(mode, Large)).FindAsync("ann", "2"));

    [Theory, MemberData(nameof(Modes))]
    public async Task PayAsync_Twice_IsRefused(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small);
        Assert.True(await store.PayAsync("ann", "1"));
        Assert.False(await store.PayAsync("ann", "1"));
        Assert.True((await store.FindAsync("ann", "1"))!.paid);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ChangeTotalAsync_ManyAtOnce_LosesNone(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => store.ChangeTotalAsync("ann", "1", 0.5)));
        Assert.Equal(16.5, (await store.FindAsync("ann", "1"))!.total);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task UnpaidAsync_OrdersOfSeveralCustomers_AreSortedByTotal(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small, Large, Small with { id = "3", total = 20, paid = true });
        Assert.Equal([Large, Small], await store.UnpaidAsync());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task TotalAsync_SeveralOrders_IsTheirSum(ConnectionMode mode) =>
        Assert.Equal(14, await (await StoreAsync(mode, Small, Small with { id = "3", total = 1.5 }, Large)).TotalAsync("ann"));

    [Theory, MemberData(nameof(Modes))]
    public async Task ChangedAsync_AfterADelete_HasTheOthers(ConnectionMode mode)
    {
        var store = await StoreAsync(mode, Small, Large);
        await store.DeleteAsync("ann", "1");
        Assert.Equal(["2"], await store.ChangedAsync());
    }

    /// <summary>An account of its own, whose containers have 400 RU/s. Each of these orders takes the RU of more than a second.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task AddAsync_BeyondTheThroughput_Is429(ConnectionMode mode)
    {
        await using var account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions { Throughput = 400 }, Token);
        var client = account.CreateClient(options =>
        {
            options.ConnectionMode = mode;
            options.MaxRetryAttemptsOnRateLimitedRequests = 0;
        });
        Database database = await client.CreateDatabaseAsync("shop", cancellationToken: Token);
        var store = new OrderStore(await database.CreateContainerAsync("orders", "/customer", cancellationToken: Token));
        var note = new string('.', 1_500_000);

        var e = await Assert.ThrowsAsync<CosmosException>(
            () => Task.WhenAll(Enumerable.Range(0, 8).Select(number => store.AddAsync(Large with { id = $"{number}", note = note }))));

        Assert.Equal(HttpStatusCode.TooManyRequests, e.StatusCode);
    }

    private async Task<OrderStore> StoreAsync(ConnectionMode mode, params IEnumerable<Order> orders)
    {
        var store = new OrderStore(await fixture.CreateContainerAsync(mode));
        foreach (var order in orders)
            Assert.True(await store.AddAsync(order));
        return store;
    }
}
