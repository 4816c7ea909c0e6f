using Microsoft.Azure.Cosmos;
using ScaleOut.Analysis.Findings.Kinds;

namespace ScaleOut.Tests.Simulator;

/// <summary>One account without latency and one client per mode, shared by the tests of a class.</summary>
public sealed class AccountFixture : IAsyncLifetime
{
    private readonly ConcurrentDictionary<(Microsoft.Azure.Cosmos.ConnectionMode Mode, bool Bulk), CosmosClient> _clients = new();

    public SimulatedAccount Account { get; private set; } = null!;

    public CosmosClient Client(Microsoft.Azure.Cosmos.ConnectionMode mode, bool bulk = false) =>
        _clients.GetOrAdd((mode, bulk), key => AccountClients.Create(Account, key.Mode, options => options.AllowBulkExecution = key.Bulk));

    public async ValueTask InitializeAsync() =>
        Account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 4 });

    public async ValueTask DisposeAsync()
    {
        foreach (CosmosClient client in _clients.Values)
            client.Dispose();
        await Account.DisposeAsync();
    }
}
