using ScaleOut.DevBox.Display;
using ScaleOut.Orchestration;
using ScaleOut.Progress;
using ScaleOut.Specs;

namespace ScaleOut.Tests.DevBox.Display;

public class RunBoardTests
{
    private static readonly RunSpec Spec = new() { Id = "r", Documents = 1_000, Workers = 2 };

    [Fact]
    public void Snapshot_ProgressWithinLegs_AddsToEndedLegs()
    {
        var board = new RunBoard(Spec);
        board.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 100));
        board.EndLeg(Output(worker: 0, leg: 1, inserted: 120));
        board.Take(Progress(worker: 0, leg: 2, sequence: 1, inserted: 30));
        board.Take(Progress(worker: 1, leg: 1, sequence: 1, inserted: 7));

        var run = board.Snapshot();

        Assert.Equal(157, run.Totals.Documents);
        Assert.Equal([150, 7], run.Workers.Select(worker => worker.Totals.Documents));
        Assert.Equal([2, 1], run.Workers.Select(worker => worker.Leg));
        Assert.Equal(0.157, run.DoneShare, precision: 6);
    }

    [Fact]
    public void Take_OldOrRepeatedProgress_IsLeftOut()
    {
        var board = new RunBoard(Spec);
        board.Take(Progress(worker: 0, leg: 1, sequence: 5, inserted: 50));
        board.Take(Progress(worker: 0, leg: 1, sequence: 4, inserted: 40));
        Assert.Equal(50, board.Snapshot().Totals.Documents);

        board.EndLeg(Output(worker: 0, leg: 1, inserted: 60));
        board.Take(Progress(worker: 0, leg: 1, sequence: 6, inserted: 55));
        Assert.Equal(60, board.Snapshot().Totals.Documents);
    }

    [Fact]
    public void LoseLeg_WhatItTold_IsForgotten()
    {
        var board = new RunBoard(Spec);
        board.Take(Progress(worker: 0, leg: 1, sequence: 5, inserted: 50));
        board.LoseLeg(0, 1, "killed");

        var run = board.Snapshot();

        Assert.Equal(0, run.Totals.Documents);
        Assert.Equal(1, run.LostLegs);
        Assert.Equal("killed", run.Workers[0].LastError);

        board.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 3) with { Attempt = 2 });
        Assert.Equal(3, board.Snapshot().Totals.Documents);
    }

    [Fact]
    public void BeginWorker_WorkerHadEnded_ItsLegsAreCountedOnce()
    {
        var board = new RunBoard(Spec);
        board.BeginWorker(0);
        board.EndLeg(Output(worker: 0, leg: 1, inserted: 500));
        board.EndWorker(new WorkerOutcome { Worker = 0, End = WorkerEnd.Done, Documents = new() { Inserted = 500 }, Remaining = 0 });

        board.BeginWorker(0);
        board.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 30));
        Assert.Equal((30, "running"), (board.Snapshot().Totals.Documents, board.Snapshot().Workers[0].State));

        board.EndLeg(Output(worker: 0, leg: 1, inserted: 500));
        Assert.Equal(500, board.Snapshot().Totals.Documents);
    }

    [Fact]
    public void Restore_LegOfAnEarlierProcess_CountsWithoutARate()
    {
        var board = new RunBoard(Spec);
        board.Restore(Output(worker: 1, leg: 1, inserted: 400));

        var run = board.Snapshot();

        Assert.Equal(400, run.Totals.Documents);
        Assert.Equal(0, run.Rates.Documents);
        Assert.Null(run.Remaining);
    }

    private static WorkerProgress Progress(int worker, int leg, long sequence, long inserted) =>
        new()
        {
            RunId = "r", Worker = worker, Workers = 2, Leg = leg, Attempt = 1, Sequence = sequence, Activity = WorkerActivity.Running, At = DateTimeOffset.UnixEpoch, Inserted = inserted,
        };

    private static LegOutput Output(int worker, int leg, long inserted) =>
        new() { Worker = worker, Leg = leg, End = LegEnd.TimeUp, Inserted = inserted, AlreadyPresent = 0, Failed = 0, Next = inserted };
}
