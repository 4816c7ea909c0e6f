using System.Threading.Channels;
using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The SDK's change feed processor and estimator, with their leases in a container of the same account.</summary>
public sealed class ChangeFeedProcessorTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 200;
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(3);

    [Theory, MemberData(nameof(Modes))]
    public async Task Processor_AcrossASplit_HandlesEveryChange(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var leases = await CreateLeasesAsync(mode);
        for (var i = 0; i < Documents; i++)
            await container.AddAsync(Item(i));
        var seen = new SeenItems();
        var processor = Build(container, leases, seen);
        await processor.StartAsync();

        await seen.WaitForAsync(seenNow => Enumerable.Range(0, Documents).All(i => seenNow.GetValueOrDefault($"{i}", -1) == i));
        await SplitAsync(container, 0);
        for (var i = 0; i < Documents; i++)
            await container.UpsertAsync(Item(i) with { Value = i + 1_000 }, Key(i));
        await seen.WaitForAsync(seenNow => Enumerable.Range(0, Documents).All(i => seenNow.GetValueOrDefault($"{i}", -1) == i + 1_000));
        await CatchUpAsync(container, leases);
        await processor.StopAsync();

        // Each half of the split range has its own lease.
        Assert.Equal(5, await CountLeasesAsync(leases));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Processor_StartedAgain_ContinuesAfterItsLeases(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var leases = await CreateLeasesAsync(mode);
        for (var i = 0; i < 30; i++)
            await container.AddAsync(Item(i));
        var processor = Build(container, leases, new SeenItems());
        await processor.StartAsync();
        await CatchUpAsync(container, leases);
        await processor.StopAsync();

        for (var i = 30; i < 35; i++)
            await container.AddAsync(Item(i) with { Key = "k0" }, Key(0));
        Assert.Equal(5, await EstimateAsync(container, leases));
        var second = new SeenItems();
        processor = Build(container, leases, second);
        await processor.StartAsync();
        await second.WaitForAsync(seen => seen.Count >= 5);
        await processor.StopAsync();

        Assert.Equal(["30", "31", "32", "33", "34"], second.Ids);
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 30}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i % 30}");

    private static ChangeFeedProcessor Build(Container container, Container leases, SeenItems seen) =>
        container.GetChangeFeedProcessorBuilder<Item>("copy", (changes, _) =>
        {
            seen.Add(changes);
            return Task.CompletedTask;
        })
        .WithInstanceName("only")
        .WithLeaseContainer(leases)
        .WithStartTime(DateTime.MinValue.ToUniversalTime())
        .WithPollInterval(TimeSpan.FromMilliseconds(20))
        .WithLeaseConfiguration(acquireInterval: TimeSpan.FromMilliseconds(200))
        .WithMaxItems(25)
        .Build();

    /// <summary>Waits until the leases say that everything is handled.</summary>
    private static async Task CatchUpAsync(Container container, Container leases)
    {
        using var hang = CancellationTokenSource.CreateLinkedTokenSource(Token);
        hang.CancelAfter(Hang);
        while (await EstimateAsync(container, leases) > 0 || await CountLeasesAsync(leases) == 0)
            await Task.Delay(20, hang.Token);
    }

    /// <summary>Changes that the processor has not handled. The SDK counts one for each lease without a position.</summary>
    private static async Task<long> EstimateAsync(Container container, Container leases)
    {
        long lag = 0;
        using var states = container.GetChangeFeedEstimator("copy", leases).GetCurrentStateIterator();
        while (states.HasMoreResults)
            lag += (await states.ReadNextAsync(Token)).Sum(state => state.EstimatedLag);
        return lag;
    }

    private static async Task<int> CountLeasesAsync(Container leases)
    {
        var documents = await leases.QueryAsync<Newtonsoft.Json.Linq.JObject>();
        return documents.Count(lease => lease.ContainsKey("LeaseToken"));
    }

    private Task<Container> CreateLeasesAsync(ConnectionMode mode) =>
        CreateContainerAsync(mode, properties: new ContainerProperties { PartitionKeyPath = "/id" });

    /// <summary>The last value of each item that was handled.</summary>
    private sealed class SeenItems
    {
        private readonly ConcurrentDictionary<string, int> _values = new();
        private readonly Channel<bool> _changed = Channel.CreateUnbounded<bool>();

        public IEnumerable<string> Ids => _values.Keys.Order();

        public void Add(IReadOnlyCollection<Item> changes)
        {
            foreach (var change in changes)
                _values[change.Id] = change.Value;
            _changed.Writer.TryWrite(true);
        }

        public async Task WaitForAsync(Func<ConcurrentDictionary<string, int>, bool> isThere)
        {
            while (!isThere(_values))
                await _changed.Reader.ReadAsync(Token).AsTask().WaitAsync(Hang, Token);
        }
    }
}
