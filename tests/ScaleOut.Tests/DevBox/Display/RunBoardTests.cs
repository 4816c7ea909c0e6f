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
    public void LoseLeg_WhatItReported_IsForgotten()
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
    public void LoseLeg_ManyForOneReason_IsOneWarningThatCounts()
    {
        var board = new RunBoard(Spec);
        var changes = 0;
        board.Changed += () => changes++;
        board.LoseLeg(0, 1, "No space left on device: '/runs/r/legs/0000/1.json'");
        Assert.Equal("leg 1 of worker 0 lost: No space left on device: '/runs/r/legs/0000/1.json'; run again at once", WarningOf(board));
        board.LoseLeg(1, 2, "No space left on device: '/runs/r/legs/0001/2.json'.");
        board.LoseLeg(1, 2, "No space left on device: '/runs/r/legs/0001/2.json'.");

        Assert.StartsWith("3 legs of workers 0-1 lost: No space left on device", WarningOf(board), StringComparison.Ordinal);
        Assert.EndsWith("2.json'; 2 in a row, run again in 1 s", WarningOf(board), StringComparison.Ordinal);
        board.EndLeg(Output(worker: 1, leg: 2, inserted: 1));
        board.LoseLeg(1, 3, "No space left on device: '/runs/r/legs/0001/3.json'", repeated: false);
        Assert.EndsWith("3.json'; not run again", WarningOf(board), StringComparison.Ordinal);
        Assert.Equal((4, 4), (changes, board.Snapshot().LostLegs));
    }

    [Fact]
    public void HoldUpLeg_AsOftenAsAWorkerTries_IsNoLostLegAndSaysThatItIsGivenUp()
    {
        var board = new RunBoard(Spec);
        for (var attempt = 0; attempt < WorkerOrchestrator.MaxLostInARow; attempt++)
            board.HoldUpLeg(0, 1, "the disk is full");

        const int most = WorkerOrchestrator.MaxLostInARow;
        Assert.Equal($"{most} legs of worker 0 could not begin: the disk is full; given up after {most} in a row", WarningOf(board));
        Assert.Equal(0, board.Snapshot().LostLegs);
    }

    [Fact]
    public void Take_ProgressWithAWarning_ReportsItOnceUntilAnotherWorkerHasIt()
    {
        var board = new RunBoard(Spec);
        var changes = 0;
        board.Changed += () => changes++;
        board.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 0) with { Warning = "the account is tried again: 503" });
        board.Take(Progress(worker: 0, leg: 1, sequence: 2, inserted: 0) with { Warning = "the account is tried again: 503" });
        Assert.Equal((1, "worker 0: the account is tried again: 503"), (changes, WarningOf(board)));
        board.Take(Progress(worker: 1, leg: 1, sequence: 1, inserted: 0) with { Warning = "the account is tried again: 503" });

        Assert.Equal((2, "workers 0-1: the account is tried again: 503"), (changes, WarningOf(board)));
    }

    [Theory]
    [InlineData("503/20006 reset", 0, 0, "has finished no document for 6 s: the last error is 503/20006 reset; tried again")]
    [InlineData(null, 7, 0, "has finished no document for 6 s: its operations are throttled (429); tried again")]
    [InlineData(null, 0, 0, null)]
    [InlineData("503/20006 reset", 7, 1, null)]
    public void Stall_WorkerThatRuns_SaysWhyItFinishesNothing(string? error, int throttled, int inserted, string? expected)
    {
        var worker = new WorkerBoard(0, slice: 100, stall: TimeSpan.FromSeconds(5));
        worker.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 0), TimeSpan.FromSeconds(1));
        Assert.Null(worker.Stall(TimeSpan.FromSeconds(7)));

        var later = Progress(worker: 0, leg: 1, sequence: 2, inserted) with { LastError = error, Throttled = throttled };
        worker.Take(later, TimeSpan.FromSeconds(7));

        Assert.Equal(expected, worker.Stall(TimeSpan.FromSeconds(7)));
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

    private static string WarningOf(RunBoard board) => Assert.Single(board.Snapshot().Warnings).Text;

    private static WorkerProgress Progress(int worker, int leg, long sequence, long inserted) =>
        new()
        {
            RunId = "r", Worker = worker, Workers = 2, Leg = leg, Attempt = 1, Sequence = sequence, Activity = WorkerActivity.Running,
            At = DateTimeOffset.UnixEpoch, Inserted = inserted,
        };

    private static LegOutput Output(int worker, int leg, long inserted) =>
        new() { Worker = worker, Leg = leg, End = LegEnd.TimeUp, Inserted = inserted, AlreadyPresent = 0, Failed = 0, Next = inserted };
}
