using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Progress;

public class RunTallyTests
{
    private static readonly RunSpec Spec = new() { Id = "r", Documents = 1_000, Workers = 2 };

    [Fact]
    public void Snapshot_ProgressWithinLegs_AddsToEndedLegs()
    {
        var tally = new RunTally(Spec);
        tally.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 100));
        tally.EndLeg(Output(worker: 0, leg: 1, inserted: 120));
        tally.Take(Progress(worker: 0, leg: 2, sequence: 1, inserted: 30) with { Before = new(new() { Inserted = 120 }, 5) });
        tally.Take(Progress(worker: 1, leg: 1, sequence: 1, inserted: 7));
        var run = tally.Snapshot();

        Assert.Equal(157, run.Done);
        Assert.Equal([150, 7], run.Workers.Select(worker => worker.Done));
        Assert.Equal([2, 1], run.Workers.Select(worker => worker.Leg));
        Assert.Equal(0.157, run.DoneShare, precision: 6);
    }

    [Fact]
    public void Take_OldOrRepeatedProgress_IsLeftOut()
    {
        var tally = new RunTally(Spec);
        tally.Take(Progress(worker: 0, leg: 1, sequence: 5, inserted: 50));
        tally.Take(Progress(worker: 0, leg: 1, sequence: 4, inserted: 40));
        Assert.Equal(50, tally.Snapshot().Done);

        tally.EndLeg(Output(worker: 0, leg: 1, inserted: 60));
        tally.Take(Progress(worker: 0, leg: 1, sequence: 6, inserted: 55));
        Assert.Equal(60, tally.Snapshot().Done);
    }

    [Fact]
    public void LoseLeg_WhatItReported_IsForgotten()
    {
        var tally = new RunTally(Spec);
        tally.Take(Progress(worker: 0, leg: 1, sequence: 5, inserted: 50));
        tally.LoseLeg(0, 1, "killed");
        var run = tally.Snapshot();

        Assert.Equal((0, 1, "killed"), (run.Done, run.LostLegs, run.Workers[0].LastError));

        tally.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 3) with { Attempt = 2 });
        Assert.Equal(3, tally.Snapshot().Done);
    }

    [Fact]
    public void BeginWorker_WorkerHadEnded_ItsLegsAreCountedOnce()
    {
        var tally = new RunTally(Spec);
        tally.BeginWorker(0);
        tally.EndLeg(Output(worker: 0, leg: 1, inserted: 500));
        tally.EndWorker(new WorkerOutcome { Worker = 0, End = WorkerState.Done, Counts = new() { Inserted = 500 }, Remaining = 0 });

        tally.BeginWorker(0);
        tally.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 30));
        Assert.Equal((30, WorkerState.Running), (tally.Snapshot().Done, tally.Snapshot().Workers[0].State));

        tally.EndLeg(Output(worker: 0, leg: 1, inserted: 500));
        Assert.Equal(500, tally.Snapshot().Done);
    }

    [Fact]
    public void LoseLeg_ManyForOneReason_IsOneWarningThatCounts()
    {
        var tally = new RunTally(Spec);
        var changes = 0;
        tally.Changed += () => changes++;
        tally.LoseLeg(0, 1, "No space left on device: '/runs/r/legs/0000/1.json'");
        Assert.Equal("leg 1 of worker 0 lost: No space left on device: '/runs/r/legs/0000/1.json'; run again at once", WarningOf(tally));
        tally.LoseLeg(1, 2, "No space left on device: '/runs/r/legs/0001/2.json'.");
        tally.LoseLeg(1, 2, "No space left on device: '/runs/r/legs/0001/2.json'.");

        Assert.StartsWith("3 legs of workers 0-1 lost: No space left on device", WarningOf(tally), StringComparison.Ordinal);
        Assert.EndsWith(
            "2.json'; 2 in a row, run again in 1 s (at most 20 in a row, about 7 min)", WarningOf(tally), StringComparison.Ordinal);
        tally.EndLeg(Output(worker: 1, leg: 2, inserted: 1));
        tally.LoseLeg(1, 3, "No space left on device: '/runs/r/legs/0001/3.json'", repeated: false);
        Assert.EndsWith("3.json'; not run again", WarningOf(tally), StringComparison.Ordinal);
        Assert.Equal((4, 4), (changes, tally.Snapshot().LostLegs));
    }

    [Fact]
    public void HoldUpLeg_UntilAWorkerGivesUp_IsNoLostLegAndSaysSo()
    {
        var tally = new RunTally(Spec);
        const int attempts = WorkerOrchestrator.MaxLostInARow;
        for (var attempt = 0; attempt < attempts; attempt++)
            tally.LoseLeg(0, 1, "the disk is full", begun: false);

        Assert.Equal(
            $"{attempts} legs of worker 0 could not begin: the disk is full; given up after {attempts} in a row", WarningOf(tally));
        Assert.Equal(0, tally.Snapshot().LostLegs);
    }

    [Fact]
    public void Take_ProgressWithAWarning_ReportsItOnceUntilAnotherWorkerHasIt()
    {
        var tally = new RunTally(Spec);
        var changes = 0;
        tally.Changed += () => changes++;
        const string warning = "the account is tried again: 503";
        tally.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 0) with { Warning = warning });
        tally.Take(Progress(worker: 0, leg: 1, sequence: 2, inserted: 0) with { Warning = warning });
        Assert.Equal((1, $"worker 0: {warning}"), (changes, WarningOf(tally)));
        tally.Take(Progress(worker: 1, leg: 1, sequence: 1, inserted: 0) with { Warning = warning });

        Assert.Equal((2, $"workers 0-1: {warning}"), (changes, WarningOf(tally)));
    }

    [Theory]
    [InlineData("503/20006 reset", 0, 0, "has finished no document for 6 s: the last error is 503/20006 reset; tried again")]
    [InlineData(null, 7, 0, "has finished no document for 6 s: its operations are throttled (429); tried again")]
    [InlineData(null, 0, 0, null)]
    [InlineData("503/20006 reset", 7, 1, null)]
    public void Stall_WorkerThatRuns_SaysWhyItFinishesNothing(string? error, int throttled, int inserted, string? expected)
    {
        var worker = new WorkerTally(0, slice: 100, stall: TimeSpan.FromSeconds(5));
        worker.Take(Progress(worker: 0, leg: 1, sequence: 1, inserted: 0), TimeSpan.FromSeconds(1));
        Assert.Null(worker.Stall(TimeSpan.FromSeconds(7)));

        var later = Progress(worker: 0, leg: 1, sequence: 2, inserted) with
        {
            LastError = error,
            Counts = new() { Inserted = inserted, Throttled = throttled },
        };
        worker.Take(later, TimeSpan.FromSeconds(7));

        Assert.Equal(expected, worker.Stall(TimeSpan.FromSeconds(7)));
    }

    [Fact]
    public void Restore_LegOfAnEarlierProcess_CountsWithoutARate()
    {
        var tally = new RunTally(Spec);
        tally.SetPhase(RunPhase.Running);
        tally.Restore(Output(worker: 1, leg: 1, inserted: 400));
        var run = tally.Snapshot();
        Assert.Equal((400, default(Rates), null), (run.Done, run.PerSecond, run.RemainingSeconds));
    }

    /// <summary>Queue messages come in any order and more than once.</summary>
    [Fact]
    public void Take_AnyOrderAndAnyRepeats_ShowsTheNewestOfEachWorker() => Properties.Holds(Prop.ForAll(
        (from messages in ProgressMessages.Any
         from repeated in messages.Length == 0 ? Gen.Constant(messages) : Gen.Elements(messages).ArrayOf()
         from shuffled in Gen.Shuffle([.. messages, .. repeated])
         select shuffled.ToArray()).ToArbitrary(),
        messages =>
        {
            var newest = messages.GroupBy(message => message.Worker)
                .ToDictionary(group => group.Key, group => group.MaxBy(message => message.Order)!);
            var expected = Enumerable.Range(0, ProgressMessages.Workers)
                .Select(worker => (newest.GetValueOrDefault(worker)?.Leg ?? 0, newest.GetValueOrDefault(worker)?.Counts ?? default));
            return StatusOf(messages).Workers.Select(worker => (worker.Leg, worker.Counts)).SequenceEqual(expected);
        }));

    [Fact]
    public void Take_OneMessageOfALaterLeg_AddsTheEarlierLegsAndHasTheMeanRate()
    {
        var run = StatusOf(
        [
            ProgressMessages.From(1, 2, 1, 5) with
            {
                Before = new(CountsOf(inserted: 1_000, present: 20, failed: 3, throttled: 7, charged: 5_000), 30),
                Counts = CountsOf(inserted: 500, present: 10, failed: 2, throttled: 1, charged: 2_500.5),
                Seconds = 10, InFlight = 9, LastError = "503",
            },
            ProgressMessages.From(3, 1, 1, 1) with { Counts = new() { Inserted = 400 }, Seconds = 20 },
        ]);

        var worker = run.Workers[1];
        Assert.Equal(
            CountsOf(inserted: 1_500, present: 30, failed: 5, throttled: 8, charged: 7_500.5), worker.Counts);
        Assert.Equal((9, "503"), (worker.InFlight, worker.LastError));
        Assert.Equal(new Rates(1_535 / 40.0, 8 / 40.0, 7_500.5 / 40).Rounded(), worker.PerSecond);
        Assert.Equal(
            [WorkerState.Starting, WorkerState.Running, WorkerState.Starting, WorkerState.Running], run.Workers.Select(one => one.State));
        Assert.Equal((1_935, 58.38), (run.Done, run.PerSecond!.Value.Documents));
    }

    /// <summary>The report leaves the warm-up out of latencies, and so do the figures that are shown meanwhile.</summary>
    [Fact]
    public void Snapshot_LatenciesOfTheWarmup_AreLeftOut()
    {
        var tally = new RunTally(Spec with { Warmup = TimeSpan.FromSeconds(3) });
        tally.SetPhase(RunPhase.Running);
        void Take(double seconds, double ms) => tally.Take(
            Progress(worker: 0, leg: 1, sequence: (long)seconds, inserted: 1) with { Seconds = seconds, Latency = Packed(ms) });

        Take(1, 900);
        Take(2, 800);
        Assert.Null(tally.Snapshot().LatencyMs);
        // This interval began before the warm-up had ended.
        Take(3.5, 700);
        Assert.Null(tally.Snapshot().LatencyMs);
        Take(4.5, 10);

        Assert.InRange(tally.Snapshot().LatencyMs!.Max!.Value, 10, 11);
        Assert.InRange(Warm(leg: 2), 900, 960);
        Assert.InRange(Warm(leg: 1, warmup: 0), 900, 960);

        static double Warm(int leg, double warmup = 3)
        {
            var other = new RunTally(Spec with { Warmup = TimeSpan.FromSeconds(warmup) });
            other.SetPhase(RunPhase.Running);
            other.Take(Progress(worker: 0, leg, sequence: 1, inserted: 1) with { Seconds = 1, Latency = Packed(900) });
            return other.Snapshot().LatencyMs!.Max!.Value;
        }
    }

    private static RunStatus StatusOf(IEnumerable<WorkerProgress> messages)
    {
        var tally = new RunTally(Spec with { Workers = ProgressMessages.Workers });
        tally.SetPhase(RunPhase.Running);
        foreach (var message in messages)
            tally.Take(message);
        return tally.Snapshot();
    }

    private static string WarningOf(RunTally tally) => Assert.Single(tally.Snapshot().Warnings).Text;

    private static PackedHistogram Packed(double ms)
    {
        var histogram = new LatencyHistogram();
        histogram.Record(TimeSpan.FromMilliseconds(ms));
        return PackedHistogram.From(histogram.ToCoarse());
    }

    private static WorkerProgress Progress(int worker, int leg, long sequence, long inserted) => new()
    {
        RunId = "r", Worker = worker, Workers = 2, Leg = leg, Attempt = 1, Sequence = sequence, Activity = WorkerState.Running,
        At = DateTimeOffset.UnixEpoch, Counts = new() { Inserted = inserted },
    };

    private static LegOutput Output(int worker, int leg, long inserted) =>
        new() { Worker = worker, Leg = leg, End = LegEnd.TimeUp, Counts = new() { Inserted = inserted }, Next = inserted };

    private static Counts CountsOf(long inserted, long present, long failed, long throttled, double charged) => new()
    {
        Inserted = inserted, AlreadyPresent = present, Failed = failed, Throttled = throttled, RequestUnits = RequestUnits.From(charged),
    };
}
