using Microsoft.Azure.Cosmos;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator;

/// <summary>One account without latency and one client per mode, shared by the tests of a class.</summary>
public class AccountFixture : IAsyncLifetime
{
    private readonly ConcurrentDictionary<(Mode Mode, bool Bulk), CosmosClient> _clients = new();
    private readonly SimulatedAccountOptions _options;
    private readonly TimeProvider _time;

    public AccountFixture()
        : this(new SimulatedAccountOptions { PhysicalPartitions = 4 })
    {
    }

    protected AccountFixture(SimulatedAccountOptions options, TimeProvider? time = null)
    {
        _options = options with { Latency = LatencyProfile.None };
        _time = time ?? TimeProvider.System;
    }

    public SimulatedAccount Account { get; private set; } = null!;

    public CosmosClient Client(Mode mode, bool bulk = false) =>
        _clients.GetOrAdd((mode, bulk), key => AccountClients.Create(Account, key.Mode, options => options.AllowBulkExecution = key.Bulk));

    public async ValueTask InitializeAsync() => Account = await SimulatedAccount.StartAsync(_options, _time, CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        foreach (CosmosClient client in _clients.Values)
            client.Dispose();
        await Account.DisposeAsync();
    }
}

/// <summary>A clock that moves only on request.</summary>
internal sealed class ManualTime(DateTimeOffset start) : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public override DateTimeOffset GetUtcNow() => start.AddTicks(GetTimestamp());

    public void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}
