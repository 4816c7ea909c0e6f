using ScaleOut.Orchestration;

namespace ScaleOut.Tests.Orchestration;

public sealed class WorkerOrchestrationTests
{
    [Fact]
    public async Task RunTurn_LostLegs_RunsTheSameLegFromTheSameNumberAfterLongerWaits()
    {
        var calls = 0;
        var port = new ScriptedPort(leg => ++calls is 1 or > 8 ? ScriptedLeg.Insert(leg, 50) : throw new LegLostException("killed"));
        var turn = await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Equal(WorkerEnd.Done, turn.Outcome!.End);
        Assert.Equal(100, turn.Outcome.Documents.Inserted);
        Assert.Equal([1, 2, 2, 2, 2, 2, 2, 2, 2], port.Legs.Select(leg => leg.Leg));
        Assert.All(port.Legs.Skip(1), leg => Assert.Equal(50, leg.Next));
        Assert.Equal([0, 1, 2, 4, 8, 16, 30], port.Waits.Select(wait => wait.TotalSeconds));
    }

    [Fact]
    public async Task RunTurn_EachLeg_IsToldWhatTheLegsBeforeItCameTo()
    {
        var port = new ScriptedPort(leg => ScriptedLeg.Insert(leg, 40) with { Throttled = leg.Leg, RequestUnits = 10.5, Seconds = 2 });
        await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Equal(
            [new(), new() { Inserted = 40, Throttled = 1, RequestUnits = 10.5, Seconds = 2 }, new() { Inserted = 80, Throttled = 3, RequestUnits = 21, Seconds = 4 }],
            port.Legs.Select(leg => leg.Before));
    }

    [Fact]
    public async Task RunTurn_LossesWithProgressBetween_StartsCountingAgain()
    {
        var calls = 0;
        var port = new ScriptedPort(leg => ++calls % 2 == 0 ? ScriptedLeg.Insert(leg, 20) : throw new LegLostException("killed"));
        var turn = await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Equal(WorkerEnd.Done, turn.Outcome!.End);
        Assert.All(port.Waits, wait => Assert.Equal(TimeSpan.Zero, wait));
    }

    [Fact]
    public async Task RunWorker_AlwaysLost_GivesUpAndSaysWhy()
    {
        var port = new ScriptedPort(_ => throw new LegLostException("out of memory"));
        var outcome = await port.RunWorkerAsync(Script.Worker());

        Assert.Equal(WorkerEnd.Failed, outcome.End);
        Assert.Equal(WorkerOrchestration.MaxLostInARow, port.Legs.Count);
        Assert.Equal(100, outcome.Remaining);
        Assert.Equal("Leg 1 was lost 20 times in a row; the last time: out of memory", outcome.Reason);
    }

    [Fact]
    public async Task RunWorker_LossesAcrossTurns_AreCountedTogether()
    {
        var calls = 0;
        var port = new ScriptedPort(leg => ++calls <= 5 ? ScriptedLeg.Insert(leg, 1) : throw new LegLostException("killed"));
        var outcome = await port.RunWorkerAsync(Script.Worker());

        Assert.Equal(2, port.Turns);
        Assert.Equal(WorkerEnd.Failed, outcome.End);
        Assert.Equal(5 + WorkerOrchestration.MaxLostInARow, port.Legs.Count);
        Assert.Equal((5, 95), (outcome.Documents.Inserted, outcome.Remaining));
    }

    [Fact]
    public async Task RunTurn_IdleLegs_GivesUpWithTheLastReason()
    {
        var port = new ScriptedPort(leg => ScriptedLeg.Insert(leg, leg.Leg == 1 ? 10 : 0, LegEnd.TimeUp, "all throttled"));
        var turn = await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Equal(1 + WorkerOrchestration.MaxIdleInARow, port.Legs.Count);
        Assert.Equal((WorkerEnd.Failed, 90), (turn.Outcome!.End, turn.Outcome.Remaining));
        Assert.Equal("3 legs in a row finished no document. all throttled", turn.Outcome.Reason);
    }

    [Fact]
    public async Task RunTurn_AccountSilentForAWholeLeg_GivesUpAtOnce()
    {
        var port = new ScriptedPort(leg => ScriptedLeg.Insert(leg, leg.Leg == 1 ? 10 : 0, LegEnd.AccountSilent, "no answer"));
        var turn = await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Equal(2, port.Legs.Count);
        Assert.Equal((WorkerEnd.Failed, 90, "no answer"), (turn.Outcome!.End, turn.Outcome.Remaining, turn.Outcome.Reason));
    }

    [Fact]
    public async Task RunTurn_ProgressBetweenIdleLegs_GoesOn()
    {
        var port = new ScriptedPort(leg => ScriptedLeg.Insert(leg, leg.Leg % 3 == 0 ? 50 : 0, leg.Leg == 6 ? LegEnd.SliceDone : LegEnd.TimeUp));

        Assert.Equal(WorkerEnd.Done, (await WorkerOrchestration.RunTurnAsync(port, Script.Worker())).Outcome!.End);
    }

    [Theory]
    [InlineData(LegEnd.Stopped, WorkerEnd.Stopped, null)]
    [InlineData(LegEnd.Refused, WorkerEnd.Failed, "the key is wrong")]
    public async Task RunTurn_LegCannotGoOn_EndsTheWorker(LegEnd leg, WorkerEnd worker, string? reason)
    {
        var port = new ScriptedPort(input => ScriptedLeg.Insert(input, 30, leg, "the key is wrong"));
        var turn = await WorkerOrchestration.RunTurnAsync(port, Script.Worker());

        Assert.Single(port.Legs);
        Assert.Equal((worker, 30, 70), (turn.Outcome!.End, turn.Outcome.Documents.Inserted, turn.Outcome.Remaining));
        Assert.Equal(reason, turn.Outcome.Reason);
    }

    [Fact]
    public async Task RunTurn_ManyLegs_ContinuesAsNewWithAllItKnows()
    {
        var port = new ScriptedPort(leg => ScriptedLeg.Insert(leg, 2));
        var first = await WorkerOrchestration.RunTurnAsync(port, Script.Worker(first: 1_000));

        Assert.Null(first.Outcome);
        Assert.Equal(WorkerOrchestration.LegsPerTurn, port.Legs.Count);
        Assert.Equal((21, 1_040, 40), (first.Continue!.Leg, first.Continue.Next, first.Continue.Documents.Inserted));

        var outcome = await port.RunWorkerAsync(first.Continue);
        Assert.Equal((WorkerEnd.Done, 100, 0), (outcome.End, outcome.Documents.Inserted, outcome.Remaining));
        Assert.Equal(Enumerable.Range(1, 50), port.Legs.Select(leg => leg.Leg));
    }

    [Fact]
    public async Task RunTurn_LongReason_IsCut()
    {
        var port = new ScriptedPort(_ => throw new LegLostException(new string('x', 100_000)));

        Assert.Equal(LegOutput.MaxReasonLength, (await port.RunWorkerAsync(Script.Worker())).Reason!.Length);
    }
}
