using System.Collections.Concurrent;
using Microsoft.Azure.Cosmos;
using OrderTests;
using ScaleOut.Simulator.Accounts;
using Xunit;

[assembly: AssemblyFixture(typeof(AccountFixture))]

namespace OrderTests;

/// <summary>One account for all tests; each test has a container of its own.</summary>
public sealed class AccountFixture : IAsyncLifetime
{
    private readonly ConcurrentDictionary<ConnectionMode, CosmosClient> _clients = new();
    private SimulatedAccount _account = null!;

    public async ValueTask InitializeAsync() => _account = await SimulatedAccount.StartAsync();

    public ValueTask DisposeAsync() => _account.DisposeAsync();

    public async Task<Container> CreateContainerAsync(ConnectionMode mode)
    {
        var client = _clients.GetOrAdd(mode, one => _account.CreateClient(options => options.ConnectionMode = one));
        Database database = await client.CreateDatabaseIfNotExistsAsync("shop");
        return await database.CreateContainerAsync($"orders-{Guid.NewGuid():N}", "/customer");
    }
}
