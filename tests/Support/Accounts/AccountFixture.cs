using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Time.Testing;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>One account without latency and one client per mode, shared by the tests of a class.</summary>
public class AccountFixture : IAsyncLifetime
{
    private readonly ConcurrentDictionary<(Mode Mode, bool Bulk), CosmosClient> _clients = new();
    private readonly AccountSettings _options;
    private readonly TimeProvider _time;

    public AccountFixture() : this(new AccountSettings { PhysicalPartitions = 4 }) { }

    private protected AccountFixture(AccountSettings options, TimeProvider? time = null)
    {
        _options = options with { Latency = LatencyProfile.None };
        _time = time ?? TimeProvider.System;
    }

    public SimulatedAccount Account { get; private set; } = null!;

    public CosmosClient Client(Mode mode, bool bulk = false) =>
        _clients.GetOrAdd((mode, bulk), key => AccountClients.Create(Account, key.Mode, options => options.AllowBulkExecution = key.Bulk));

    public virtual async ValueTask InitializeAsync() =>
        Account = await SimulatedAccount.StartAsync(_options, _time, CancellationToken.None);

    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        foreach (var client in _clients.Values)
            client.Dispose();
        await Account.DisposeAsync();
    }
}

/// <summary>An account with a clock that moves only on request.</summary>
public abstract class TimedAccount : AccountFixture
{
    private readonly ManualTime _time;

    private protected TimedAccount(AccountSettings options) : this(options, new ManualTime(DateTimeOffset.UtcNow)) { }

    private TimedAccount(AccountSettings options, ManualTime time) : base(options, time) => _time = time;

    public void Move(int seconds) => _time.Advance(TimeSpan.FromSeconds(seconds));
}

/// <summary>An account with one container, which has documents in each of its four partitions.</summary>
public abstract class FilledAccount : AccountFixture
{
    private Container _container = null!;

    public Container Container(Mode mode) => Client(mode).GetContainer(_container.Database.Id, _container.Id);

    protected async Task FillAsync<T>(IEnumerable<(T Document, string Key)> documents, params IEnumerable<string> compositeIndexes)
    {
        await base.InitializeAsync();
        _container = await AccountClients.CreateContainerAsync(
            Client(Mode.Gateway), properties: CompositeIndexes.Properties(compositeIndexes));
        foreach ((var document, var key) in documents)
            await _container.AddAsync(document, new PartitionKey(key));
        Assert.All(Account.ReadLedger().Containers.Single().Partitions, partition => Assert.NotEqual(0, partition.Documents));
    }
}

/// <summary>An account for one test, without latency unless the options name one, with a client and an empty container.</summary>
internal sealed record OwnAccount(SimulatedAccount Account, CosmosClient Client, Container Container) : IAsyncDisposable
{
    public static async Task<OwnAccount> StartAsync(
        Mode mode, AccountSettings options, int throughput = 400_000, Action<CosmosClientOptions>? configure = null,
        TimeProvider? time = null)
    {
        var account = await AccountClients.StartAsync(options, time);
        var client = AccountClients.Create(account, mode, configure);
        return new OwnAccount(account, client, await AccountClients.CreateContainerAsync(client, throughput));
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Account.DisposeAsync();
    }
}

/// <summary>A clock that moves only on request, and whose wall clock can be set.</summary>
internal sealed class ManualTime(DateTimeOffset start) : FakeTimeProvider(start)
{
    /// <summary>How far the wall clock was set ahead.</summary>
    public TimeSpan Ahead { get; set; }

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Ahead;

    public override long GetTimestamp() => base.GetUtcNow().Ticks;

    /// <summary>Moves on step by step until a task has ended that waits on this clock, and meanwhile for others.</summary>
    public async Task EndAsync(Task task, TimeSpan step)
    {
        while (await Task.WhenAny(task, Task.Delay(1)) != task)
            Advance(step);
        await task;
    }
}
