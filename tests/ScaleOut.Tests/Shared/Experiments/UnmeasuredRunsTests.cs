namespace ScaleOut.Tests.Shared.Experiments;

public sealed class UnmeasuredRunsTests
{
    private static readonly IReadOnlyList<PlannedRun> Runs = new GridPlanner(ExperimentSample.From(3, 2)).All;

    private readonly MemoryRunStore _store = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task LeftOf_RunsOfEveryKind_GivesThoseThatAreNotCompleteInTheirOrder()
    {
        await EndAsync(Runs[0], RunState.Complete);
        await EndAsync(Runs[1], RunState.Stopped);
        await EndAsync(Runs[2], RunState.Incomplete);
        await EndAsync(Runs[3], RunState.Failed);
        await new RunFiles(_store, Runs[4].Spec.Id!).TryClaimAsync(Runs[4].Spec, Cancellation);

        Assert.Equal(Runs.Skip(1), await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    [Fact]
    public async Task LeftOf_IdOfAnotherRunThatIsComplete_IsLeft()
    {
        await EndAsync(Runs[0] with { Spec = Runs[0].Spec with { Seed = 4711 } }, RunState.Complete);

        Assert.Equal(Runs, await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    [Fact]
    public async Task LeftOf_EverythingMeasured_IsNothing()
    {
        foreach (var run in Runs)
            await EndAsync(run, RunState.Complete);

        Assert.Empty(await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    /// <summary>One damaged run does not keep the others from being looked at.</summary>
    [Theory]
    [InlineData("ended.json")]
    [InlineData("spec.json")]
    [InlineData("report.json")]
    [InlineData("report.md")]
    [InlineData("report-checksums.json")]
    public async Task LeftOf_RunWithADamagedItem_IsLeft(string name)
    {
        foreach (var run in Runs)
            await EndAsync(run, RunState.Complete);
        var id = Runs[1].Spec.Id!;
        var report = StoredItem.Write($"{id}/report.json", new KeptCondition("x"));
        await new RunFiles(_store, id).WriteReportAsync([("report.json", report), ("report.md", [1])], Cancellation);
        Assert.Empty(await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));

        await _store.WriteAsync(id, name, "{"u8.ToArray(), Cancellation);

        Assert.Equal([Runs[1]], await UnmeasuredRuns.FindAsync(_store, Runs, Cancellation));
    }

    private async Task EndAsync(PlannedRun run, RunState state)
    {
        var files = new RunFiles(_store, run.Spec.Id!);
        await files.TryClaimAsync(run.Spec, Cancellation);
        await files.WriteEndedAsync(
            new RunEnded(
                new RunOutcome { RunId = run.Spec.Id!, State = state, Remaining = 0 }, DateTimeOffset.UnixEpoch),
            Cancellation);
    }
}
