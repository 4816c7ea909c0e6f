namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class WorkerOrchestratorTests
{
    [Fact]
    public async Task Run_LostLegs_RunsTheSameLegFromTheSameNumberAfterLongerWaits()
    {
        var calls = 0;
        var asked = new List<DateTimeOffset?>();
        ScriptedRun run = null!;
        run = new ScriptedRun(leg =>
        {
            asked.Add(new DateTimeOffset(run.UtcNow, TimeSpan.Zero));
            return ++calls is 1 or > 8 ? ScriptedLeg.Insert(leg, 50) : throw new LegLostException("killed");
        });
        var outcome = await run.RunWorkerAsync(Script.Worker());

        Assert.Equal(WorkerState.Done, outcome.End);
        Assert.Equal(100, outcome.Counts.Inserted);
        Assert.Equal([1, 2, 2, 2, 2, 2, 2, 2, 2], run.Legs.Select(leg => leg.Leg));
        Assert.All(run.Legs.Skip(1), leg => Assert.Equal(50, leg.Next));
        Assert.Equal([1, 2, 4, 8, 16, 30], run.Waits.Select(wait => wait.TotalSeconds));
        Assert.Equal(asked, run.Legs.Select(leg => leg.DispatchedAt));
        Assert.True(asked[^1] > asked[0]);
        Assert.Equal("Leg 2 of worker 0 was lost (1 in a row): killed", run.Log.Lines.First());
    }

    [Fact]
    public async Task Run_EachLeg_GetsTheTotalsOfTheLegsBefore()
    {
        var run = new ScriptedRun(leg => ScriptedLeg.Insert(leg, 40) with
        {
            Counts = new() { Inserted = 40, Throttled = leg.Leg, RequestUnits = RequestUnits.From(10.5) },
            Seconds = 2,
        });
        await run.RunWorkerAsync(Script.Worker());

        Assert.Equal(
            [
                WorkerTotals.None, new(new() { Inserted = 40, Throttled = 1, RequestUnits = RequestUnits.From(10.5) }, 2),
                new(new() { Inserted = 80, Throttled = 3, RequestUnits = RequestUnits.From(21) }, 4),
            ],
            run.Legs.Select(leg => leg.Before));
    }

    [Fact]
    public async Task Run_LossesWithProgressBetween_StartsCountingAgain()
    {
        var calls = 0;
        var run = new ScriptedRun(leg => ++calls % 2 == 0 ? ScriptedLeg.Insert(leg, 20) : throw new LegLostException("killed"));
        Assert.Equal(WorkerState.Done, (await run.RunWorkerAsync(Script.Worker())).End);
        Assert.Empty(run.Waits);
    }

    [Theory]
    [InlineData(typeof(NullReferenceException))]
    [InlineData(typeof(KeyNotFoundException))]
    public async Task Run_ErrorThatMayBeOneOfAnSdk_HasOneMoreTry(Type error)
    {
        var calls = 0;
        var once = new ScriptedRun(leg => ++calls == 1 ? throw (Exception)Activator.CreateInstance(error)! : ScriptedLeg.Insert(leg, 100));
        var always = new ScriptedRun(_ => throw (Exception)Activator.CreateInstance(error)!);

        Assert.Equal(WorkerState.Done, (await once.RunWorkerAsync(Script.Worker())).End);
        var outcome = await always.RunWorkerAsync(Script.Worker());

        Assert.Equal((WorkerState.Failed, 2), (outcome.End, always.Legs.Count));
        Assert.StartsWith("Leg 1 cannot be run: ", outcome.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_AlwaysLost_GivesUpAndSaysWhy()
    {
        var run = new ScriptedRun(_ => throw new LegLostException("out of memory"));
        var outcome = await run.RunWorkerAsync(Script.Worker());

        Assert.Equal(WorkerState.Failed, outcome.End);
        Assert.Equal(WorkerOrchestrator.MaxLostInARow, run.Legs.Count);
        Assert.Equal(100, outcome.Remaining);
        Assert.Equal("Leg 1 was lost 20 times in a row; the last time: out of memory", outcome.Reason);
    }

    [Fact]
    public async Task Run_LossesAcrossTurns_AreCountedTogether()
    {
        var calls = 0;
        var run = new ScriptedRun(leg => ++calls <= 5 ? ScriptedLeg.Insert(leg, 1) : throw new LegLostException("killed"));
        var outcome = await run.RunWorkerAsync(Script.Worker());

        Assert.Single(run.Continued);
        Assert.Equal(WorkerState.Failed, outcome.End);
        Assert.Equal(5 + WorkerOrchestrator.MaxLostInARow, run.Legs.Count);
        Assert.Equal((5, 95), (outcome.Counts.Inserted, outcome.Remaining));
    }

    [Theory]
    [InlineData(LegEnd.TimeUp, WorkerOrchestrator.MaxIdleInARow, "3 legs in a row finished no document. all throttled")]
    [InlineData(LegEnd.AccountSilent, 1, "all throttled")]
    public async Task Run_IdleLegs_GivesUpWithTheLastReason(LegEnd end, int idle, string reason)
    {
        var run = new ScriptedRun(leg => ScriptedLeg.Insert(leg, leg.Leg == 1 ? 10 : 0, end, "all throttled"));
        var outcome = await run.RunWorkerAsync(Script.Worker());
        Assert.Equal(1 + idle, run.Legs.Count);
        Assert.Equal((WorkerState.Failed, 90, reason), (outcome.End, outcome.Remaining, outcome.Reason));
    }

    [Fact]
    public async Task Run_ProgressBetweenIdleLegs_GoesOn()
    {
        var run = new ScriptedRun(
            leg => ScriptedLeg.Insert(leg, leg.Leg % 3 == 0 ? 50 : 0, leg.Leg == 6 ? LegEnd.SliceDone : LegEnd.TimeUp));
        Assert.Equal(WorkerState.Done, (await run.RunWorkerAsync(Script.Worker())).End);
    }

    [Theory]
    [InlineData(LegEnd.Stopped, WorkerState.Stopped, null)]
    [InlineData(LegEnd.Rejected, WorkerState.Failed, "the key is wrong")]
    public async Task Run_LegCannotGoOn_EndsTheWorker(LegEnd leg, WorkerState worker, string? reason)
    {
        var run = new ScriptedRun(input => ScriptedLeg.Insert(input, 30, leg, "the key is wrong"));
        var outcome = await run.RunWorkerAsync(Script.Worker());
        Assert.Single(run.Legs);
        Assert.Equal((worker, 30, 70), (outcome.End, outcome.Counts.Inserted, outcome.Remaining));
        Assert.Equal(reason, outcome.Reason);
    }

    [Fact]
    public async Task Run_ManyLegs_ContinuesAsNewWithAllItKnows()
    {
        var run = new ScriptedRun(leg => ScriptedLeg.Insert(leg, 2));
        var outcome = await run.RunWorkerAsync(Script.Worker(first: 1_000));
        Assert.Equal(
            [(21, 1_040L, 40L), (41, 1_080L, 80L)],
            run.Continued.Cast<LegInput>().ToList().Select(worker => (worker.Leg, worker.Next, worker.Before.Counts.Inserted)));
        Assert.Equal((WorkerState.Done, 100, 0), (outcome.End, outcome.Counts.Inserted, outcome.Remaining));
        Assert.Equal(Enumerable.Range(1, 50), run.Legs.Select(leg => leg.Leg));
    }

    [Fact]
    public async Task Run_LegFailsForGood_GivesUpAtOnce()
    {
        var run = new ScriptedRun(_ => throw new JsonException("not a leg's result"));
        var outcome = await run.RunWorkerAsync(Script.Worker());
        Assert.Single(run.Legs);
        Assert.Equal((WorkerState.Failed, "Leg 1 cannot be run: not a leg's result"), (outcome.End, outcome.Reason));
    }

    [Fact]
    public async Task Run_LongReason_IsCut()
    {
        var run = new ScriptedRun(_ => throw new LegLostException(new string('x', 100_000)));
        Assert.Equal(LegOutput.MaxReasonLength, (await run.RunWorkerAsync(Script.Worker())).Reason!.Length);
    }
}
