namespace ScaleOut.Tests.Analysis.Experiments.Steps;

public sealed class UnmeasuredRunsTests
{
    private static readonly IReadOnlyList<PlannedRun> Runs = new GridPlanner(ExperimentSample.From(3, 2)).All;

    private readonly MemoryRunStore _store = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Find_RunsOfEveryKind_GivesThoseThatAreNotCompleteInTheirOrder()
    {
        await EndAsync(Runs[0], RunState.Complete);
        await EndAsync(Runs[1], RunState.Stopped);
        await EndAsync(Runs[2], RunState.Incomplete);
        await EndAsync(Runs[3], RunState.Failed);
        await new RunFiles(_store, Runs[4].Spec.Id!).TryClaimAsync(Runs[4].Spec, Cancellation);

        Assert.Equal(Runs.Skip(1), await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    [Fact]
    public async Task Find_IdOfAnotherRunThatIsComplete_IsLeft()
    {
        await EndAsync(Runs[0] with { Spec = Runs[0].Spec with { Seed = 4711 } }, RunState.Complete);
        Assert.Equal(Runs, await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    [Fact]
    public async Task Find_EverythingMeasured_IsNothing()
    {
        foreach (var run in Runs)
            await EndAsync(run, RunState.Complete);
        Assert.Empty(await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    [Theory]
    [InlineData(null, 0, true)]
    [InlineData(ExperimentState.Stopped, 0, true)]
    [InlineData(ExperimentState.Incomplete, 2, true)]
    [InlineData(ExperimentState.Incomplete, 0, false)]
    [InlineData(ExperimentState.Complete, 2, false)]
    public async Task Find_Search_GoesOnUntilItHasEndedAndAllItsRunsCount(ExperimentState? state, int notCounting, bool goesOn)
    {
        var spec = ExperimentSample.From(0, 1) with { Variants = [], Limit = new LimitSpec() };
        var status = ExperimentStatus.Resumption(spec, left: 1) with
        {
            Outcome = state is null ? null : new()
            {
                ExperimentId = spec.Id!, State = state.Value, Runs = 3, Complete = 3, NotComplete = notCounting, NotTestable = 0,
            },
        };
        await new ExperimentFiles(_store, spec.Id!).WriteStatusAsync(status, Cancellation);

        var left = await UnmeasuredRuns.FindAsync(_store, spec, run => run, Cancellation);

        Assert.Equal(goesOn ? ["sample-1000e2r01"] : [], left.Select(run => run.Spec.Id));
        Assert.Equal((1, 0), (status.Runs, status.Ended));
    }

    /// <summary>A damaged run does not stop the search for the others.</summary>
    [Theory]
    [InlineData("ended.json")]
    [InlineData("spec.json")]
    [InlineData("report.json")]
    [InlineData("report.md")]
    [InlineData("report-checksums.json")]
    public async Task Find_RunWithADamagedItem_IsLeft(string name)
    {
        foreach (var run in Runs)
            await EndAsync(run, RunState.Complete);
        var id = Runs[1].Spec.Id!;
        var report = StoredItem.Write($"{id}/report.json", new KeptCondition("x"));
        await new RunFiles(_store, id).WriteReportAsync([("report.json", () => report), ("report.md", () => [1])], Cancellation);
        Assert.Empty(await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));

        await _store.WriteAsync(id, name, "{"u8.ToArray(), Cancellation);

        Assert.Equal([Runs[1]], await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    private async Task EndAsync(PlannedRun run, RunState state)
    {
        var files = new RunFiles(_store, run.Spec.Id!);
        await files.TryClaimAsync(run.Spec, Cancellation);
        var outcome = new RunOutcome { RunId = run.Spec.Id!, State = state, Remaining = 0 };
        await files.WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), Cancellation);
    }
}
