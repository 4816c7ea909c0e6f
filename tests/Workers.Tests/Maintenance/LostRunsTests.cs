using ScaleOut.Workers.Maintenance;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Tests.Workers.Maintenance;

public sealed class LostRunsTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();
    private readonly Dictionary<string, EngineInstance> _instances = [];
    private readonly LostTelemetry _telemetry = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(EngineState.Failed)]
    [InlineData(EngineState.Terminated)]
    [InlineData(EngineState.Completed)]
    [InlineData(null)]
    public async Task Run_WithoutAnEnd_IsReportedOnce(EngineState? state)
    {
        await AddAsync("lost", state);
        Assert.Equal(["lost"], await ReportAsync(Start.AddMinutes(10)));
        Assert.Empty(await ReportAsync(Start.AddMinutes(15)));
        Assert.Equal(["lost"], _telemetry.Lost);
    }

    [Theory]
    [InlineData(EngineState.Running)]
    [InlineData(EngineState.Pending)]
    public async Task Run_ThatGoesOn_IsNotReported(EngineState state)
    {
        await AddAsync("alive", state);
        Assert.Empty(await ReportAsync(Start.AddHours(20)));
    }

    [Fact]
    public async Task Run_WithAnEnd_IsNotReported()
    {
        await AddAsync("ended", EngineState.Completed);
        var outcome = new RunOutcome { RunId = "ended", State = RunState.Failed, Counts = new(), Remaining = 0 };
        await new RunFiles(_store, "ended").WriteEndedAsync(new RunEnded(outcome, Start), Cancellation);
        Assert.Empty(await ReportAsync(Start.AddHours(1)));
    }

    [Fact]
    public async Task Run_ClaimedAMomentAgo_IsReportedAfterSomeMinutes()
    {
        await AddAsync("new", state: null);
        Assert.Empty(await ReportAsync(Start.AddMinutes(4)));
        Assert.Equal(["new"], await ReportAsync(Start.AddMinutes(6)));
    }

    /// <summary>Such a run misses legs, as its report says, and ends when it is resumed.</summary>
    [Fact]
    public async Task Run_WithAReportAndNoEnd_IsNotReported()
    {
        await AddAsync("misses-legs", EngineState.Completed);
        await new RunFiles(_store, "misses-legs").WriteReportAsync(JobFiles.ReportName, new byte[] { 1 }, Cancellation);
        Assert.Empty(await ReportAsync(Start.AddMinutes(10)));
    }

    [Fact]
    public async Task Run_ResumedAndLostAgain_IsReportedAgain()
    {
        await AddAsync("r", EngineState.Failed);
        await ReportAsync(Start.AddMinutes(10));
        await AddAsync("r", EngineState.Failed, "r:resumed-2");
        Assert.Equal(["r"], await ReportAsync(Start.AddMinutes(20)));
    }

    private async Task AddAsync(string id, EngineState? state, string? instanceId = null)
    {
        await new RunFiles(_store, id).TryClaimAsync(new RunSpec { Id = id }, Cancellation);
        await _catalog.AddAsync(new RunListing(id, Name: null, Start), Cancellation);
        if (state is { } known)
            _instances[id] = new EngineInstance { Id = instanceId ?? id, State = known, CreatedAt = Start, UpdatedAt = Start };
    }

    private Task<IReadOnlyList<string>> ReportAsync(DateTimeOffset now) => new LostRuns(_catalog, _store, [_telemetry], new ManualTime(now))
        .ReportAsync((id, _) => Task.FromResult(_instances.GetValueOrDefault(id)), Cancellation);

    private sealed class LostTelemetry : IRunTelemetry
    {
        public List<string> Lost { get; } = [];
        public IAsyncDisposable Begin(LegScope scope) => throw new InvalidOperationException("No leg is run.");
        public void Ended(RunOutcome outcome, string instanceId, string? experimentId = null) => Assert.Fail("It has no report.");
        void IRunTelemetry.Lost(string runId) => Lost.Add(runId);
    }
}
