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
    public async Task RunAsync_WithinAnHourOrASecondTime_DeletesNothing()
    {
        await AddAsync("terminated", EngineState.Terminated);
        Assert.Empty(await SweepAsync(Start.AddMinutes(59)));
        Assert.Empty(_plane.Deleted);
        await SweepAsync(Start.AddHours(2));
        Assert.Empty(await SweepAsync(Start.AddHours(3)));

        Assert.Single(_plane.Deleted);
    }

    /// <summary>A run that started at <see cref="Start"/>, by its end and its orchestration.</summary>
    [Theory]
    [InlineData(5, EngineState.Completed, 5, 5)]
    [InlineData(null, EngineState.Terminated, 3, 3)]
    [InlineData(null, EngineState.Failed, 3, 3)]
    [InlineData(null, null, 0, 0)]
    [InlineData(null, EngineState.Pending, 0, null)]
    [InlineData(null, EngineState.Running, 0, null)]
    [InlineData(0, EngineState.Running, 0, null)]
    public void IsDue_RunOrItsOrchestrationIsGone_AnHourAfterThat(int? endedAt, EngineState? state, int updatedAt, int? goneAt)
    {
        var outcome = new RunOutcome { RunId = "r", State = RunState.Complete, Remaining = 0 };
        var ended = endedAt is { } hours ? new RunEnded(outcome, Start.AddHours(hours)) : null;
        var left = new LeftContainer(new RunListing("r", Name: null, Start), Prepared: null, ended);
        var instance = state is { } known
            ? new EngineInstance { Id = "r", State = known, CreatedAt = Start, UpdatedAt = Start.AddHours(updatedAt) }
            : null;

        Assert.False(LeftContainerSweep.IsDue(left, instance, Start.AddHours(goneAt ?? 720).AddMinutes(59)));
        Assert.Equal(goneAt is not null, LeftContainerSweep.IsDue(left, instance, Start.AddHours(goneAt ?? 720).AddMinutes(60)));
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
        await files.CreatePreparedIfAbsentAsync(
            new() { Target = target, Created = spec.Container.Name is null, Simulated = false, CountBefore = 0 }, Cancellation);
        _plane.Containers[$"{target.Database}/{target.Name}"] = new ContainerFacts { PartitionKeyPaths = ["/PartitionKey"] };
        if (state is { } known)
            _instances[id] = new EngineInstance { Id = "r", State = known, CreatedAt = Start, UpdatedAt = Start };
    }
}
