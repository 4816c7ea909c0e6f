using ScaleOut.Workers.Maintenance;

namespace ScaleOut.Tests.Workers.Maintenance;

public sealed class LeftContainerSweepTests
{
    private static readonly AccountConnection Account = new() { Endpoint = new Uri("https://books.example/"), Key = "a2V5" };
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();
    private readonly FakePlane _plane = new();
    private readonly Dictionary<string, EngineInstance> _instances = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task RunAsync_RunsOfEveryKind_DeletesOnlyWhatIsDue()
    {
        await AddAsync("running", EngineState.Running);
        await AddAsync("terminated", EngineState.Terminated);
        await AddAsync("forgotten", state: null);
        await AddAsync("kept", EngineState.Completed, new ContainerSpec { Keep = true });
        await AddAsync("named", EngineState.Completed, new ContainerSpec { Name = "mine" });

        var lines = await SweepAsync(Start.AddHours(2));

        Assert.Equal(["scaleout/run-forgotten", "scaleout/run-terminated"], _plane.Deleted.Order(StringComparer.Ordinal));
        Assert.Equal(2, lines.Count);
    }

    [Fact]
    public async Task RunAsync_WithinTheHourAndOnceMore_DeletesNothing()
    {
        await AddAsync("terminated", EngineState.Terminated);
        Assert.Empty(await SweepAsync(Start.AddMinutes(59)));
        Assert.Empty(_plane.Deleted);
        await SweepAsync(Start.AddHours(2));

        Assert.Empty(await SweepAsync(Start.AddHours(3)));

        Assert.Single(_plane.Deleted);
    }

    private async Task<IReadOnlyList<string>> SweepAsync(DateTimeOffset now)
    {
        var sweep = new LeftContainerSweep(_catalog, _store, () => new ContainerControl(Account, (_, _) => _plane), new ManualTime(now));
        return await sweep.RunAsync((id, _) => Task.FromResult(_instances.GetValueOrDefault(id)), Cancellation);
    }

    private async Task AddAsync(string id, EngineState? state, ContainerSpec? container = null)
    {
        var spec = new RunSpec { Id = id, Container = container ?? new ContainerSpec() };
        var files = new RunFiles(_store, id);
        Assert.True(await files.TryClaimAsync(spec, Cancellation));
        await _catalog.AddAsync(new RunListing(id, Name: null, Start), Cancellation);
        var target = new ContainerTarget("scaleout", spec.Container.NameFor(id), "/PartitionKey");
        await files.KeepPreparedAsync(
            new PreparedContainer { Target = target, Created = spec.Container.Name is null, Simulated = false, CountBefore = 0 },
            Cancellation);
        _plane.Containers[$"{target.Database}/{target.Name}"] = new ContainerFacts { PartitionKeyPaths = ["/PartitionKey"] };
        if (state is { } known)
            _instances[id] = new EngineInstance { Id = "r", State = known, CreatedAt = Start, UpdatedAt = Start };
    }
}
