using ScaleOut.Orchestration;
using ScaleOut.PartitionKeys;
using ScaleOut.Slicing;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;
using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class LaneTests
{
    private static readonly AttemptAnswer Put = Answer(201);
    private static readonly AttemptAnswer Conflict = Answer(409);

    [Fact]
    public async Task Run_Created_IsInserted() => Assert.Equal((1, 0, 0), await OutcomeOfAsync(Put));

    [Fact]
    public async Task Run_ConflictAtOnce_IsAlreadyPresent() => Assert.Equal((0, 1, 0), await OutcomeOfAsync(Conflict));

    [Fact]
    public async Task Run_ConflictAfterATimeOut_IsInserted() => Assert.Equal((1, 0, 0), await OutcomeOfAsync(Answer(408), Conflict));

    [Fact]
    public async Task Run_ConflictAfterABrokenConnection_IsInserted() => Assert.Equal((1, 0, 0), await OutcomeOfAsync(Answer(0), Answer(429), Conflict));

    [Fact]
    public async Task Run_ConflictAfter429Or449_IsAlreadyPresent() => Assert.Equal((0, 1, 0), await OutcomeOfAsync(Answer(429), Answer(449), Conflict));

    [Fact]
    public async Task Run_ConflictOnANumberTheLegBeforeLeftUncertain_IsInserted()
    {
        var (meter, _) = await RunAsync([Conflict], uncertainBefore: new NumberRanges([new Slice(0, 1)]));

        Assert.Equal(1, meter.Totals.Inserted);
    }

    [Fact]
    public async Task Run_BadRequest_IsFailedAndNamed()
    {
        var (meter, lane) = await RunAsync([Answer(400, reason: "no such thing\nstack")]);

        Assert.Equal(1, meter.Totals.Failed);
        Assert.Equal(["document 0: 400 no such thing"], meter.Failures);
        Assert.Null(lane.Unfinished);
    }

    [Fact]
    public async Task Run_Throttled_CountsEachAndWaitsAsLongAsAsked()
    {
        var startedAt = TimeProvider.System.GetTimestamp();
        var (meter, _) = await RunAsync([Throttled(60), Throttled(60), Put]);

        Assert.True(TimeProvider.System.GetElapsedTime(startedAt) >= TimeSpan.FromMilliseconds(120));
        Assert.Equal((3, 2, 1), (meter.Totals.Attempts, meter.Totals.Throttled, meter.Totals.Inserted));
        Assert.Equal(1, meter.OperationLatency.Count);
        Assert.True(meter.OperationLatency.MaxRecordedMicroseconds >= 120_000);
        Assert.Equal(3, meter.AttemptLatency.Count);
    }

    [Fact]
    public async Task Run_Refused_EndsTheLegAndLeavesTheDocumentUndone()
    {
        using var control = new LegControl(CancellationToken.None);
        var (meter, lane) = await RunAsync([Answer(401, reason: "wrong key")], control: control);

        Assert.Equal(LegEnd.Refused, control.End);
        Assert.Equal(0, meter.Totals.Failed);
        Assert.Equal(new Slice(0, 1), lane.Unfinished);
        Assert.False(lane.OutcomeUnknown);
    }

    [Fact]
    public async Task Run_CutWhileThrottled_LeavesTheDocumentUndoneAndItsOutcomeKnown()
    {
        using var control = new LegControl(CancellationToken.None);
        var running = RunAsync([Throttled(60_000)], control: control);
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMilliseconds(50));
        var (_, lane) = await running;

        Assert.Equal(new Slice(0, 1), lane.Unfinished);
        Assert.False(lane.OutcomeUnknown);
    }

    [Fact]
    public async Task Run_CutInAnAttempt_LeavesTheOutcomeUnknown()
    {
        using var control = new LegControl(CancellationToken.None);
        // The cut comes from a timer: the lane may try again before it.
        var answers = Enumerable.Repeat(Answer(0), 1_000).ToArray();
        var (meter, lane) = await RunAsync(answers, control: control, onTry: () => control.EndWith(LegEnd.TimeUp, TimeSpan.Zero));

        Assert.Equal(new Slice(0, 1), lane.Unfinished);
        Assert.True(lane.OutcomeUnknown);
        Assert.Equal(0, meter.InFlight);
    }

    [Fact]
    public async Task Leave_InAnAttempt_CountsNothingOfItsAnswer()
    {
        using var control = new LegControl(CancellationToken.None);
        var answer = new TaskCompletionSource<AttemptAnswer>();
        var meter = new LegMeter(new LegClock(TimeProvider.System), OnePartition, TimeSpan.FromMinutes(1));
        var progress = new SliceProgress(new Slice(0, 2), 0, 1, NumberRanges.Empty);
        var lane = new Lane(control, progress, meter, NumberRanges.Empty, new Schedule(null, 0), new ScriptedOperation([], onTry: null, answer.Task));
        var running = lane.RunAsync();

        Assert.Equal(new Slice(0, 1), lane.Leave());
        answer.SetResult(Put);
        await running;

        Assert.Equal((0, 0), (meter.Totals.Attempts, meter.Totals.Inserted));
        Assert.Equal(0, progress.Next);
    }

    [Fact]
    public async Task Run_SeveralKeys_CountsThePartsWhenAllAreDone()
    {
        var meter = await RunPartsAsync([Put, Answer(429), Conflict, Answer(400)], NumberRanges.Empty);

        Assert.Equal((4, 1), (meter.Totals.Attempts, meter.Totals.Throttled));
        Assert.Equal((2, 3, 4), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
        Assert.Equal(1, meter.OperationLatency.Count);
    }

    [Fact]
    public async Task Run_SeveralKeysThatTheLegBeforeLeftUncertain_AreInserted()
    {
        var meter = await RunPartsAsync([Conflict, Conflict, Put], new NumberRanges([new Slice(0, 9)]));

        Assert.Equal((9, 0, 0), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
    }

    [Fact]
    public async Task Run_ATimeOutOnOneKey_SaysNothingOfTheNext()
    {
        var meter = await RunPartsAsync([Answer(408), Conflict, Conflict, Conflict], NumberRanges.Empty);

        Assert.Equal((2, 7, 0), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
    }

    [Fact]
    public async Task Run_CutBetweenTwoKeys_CountsNothingAndLeavesTheUnitUncertain()
    {
        using var control = new LegControl(CancellationToken.None);
        var meter = new LegMeter(new LegClock(TimeProvider.System), OnePartition, TimeSpan.FromMinutes(1));
        var progress = new SliceProgress(new Slice(0, 9), 0, 9, NumberRanges.Empty);
        using var operation = new ScriptedParts([2, 3, 4], [Put, Throttled(60_000)]);
        var lane = new Lane(control, progress, meter, NumberRanges.Empty, new Schedule(null, 0), operation);
        var running = lane.RunAsync();
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMilliseconds(30));
        await running;

        Assert.Equal(new Slice(0, 9), lane.Leave());
        Assert.Equal((0, 0, 0L), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, progress.Next));
    }

    [Fact]
    public async Task Run_PagesThatContinue_GoOnAtOnceAndCountOneOperation()
    {
        var page = new AttemptAnswer(AttemptKind.Continued, 200, 0, 0, default, null) { Calls = new QueryCalls(2, 1, 0, 3, [2.5], [0]) };

        var (meter, _) = await RunAsync([page, page with { Kind = AttemptKind.Put }]);

        Assert.Equal((2, 1, 5.0), (meter.Totals.Attempts, meter.Totals.Inserted, meter.Totals.RequestUnits));
        Assert.Equal((4, 6, 1), (meter.Calls, meter.Items, meter.OperationLatency.Count));
        Assert.Empty(meter.OtherErrors);
    }

    private static async Task<LegMeter> RunPartsAsync(AttemptAnswer[] answers, NumberRanges uncertainBefore)
    {
        using var control = new LegControl(CancellationToken.None);
        var meter = new LegMeter(new LegClock(TimeProvider.System), OnePartition, TimeSpan.FromMinutes(1));
        var progress = new SliceProgress(new Slice(0, 9), 0, 9, NumberRanges.Empty);
        using var operation = new ScriptedParts([2, 3, 4], answers);
        await new Lane(control, progress, meter, uncertainBefore, new Schedule(null, 0), operation).RunAsync();
        Assert.Equal(9, progress.Next);
        return meter;
    }

    private sealed class ScriptedParts(int[] parts, AttemptAnswer[] answers) : IWorkloadOperation
    {
        private int _part;
        private int _next;

        public int Partition => 0;

        public int? PartDocuments => parts[_part];

        public bool NextPart() => ++_part < parts.Length;

        public void Prepare(long first, int count)
        {
        }

        public Task<AttemptAnswer> TryAsync() => Task.FromResult(answers[_next++]);

        public void Dispose()
        {
        }
    }

    private static PartitionRanges OnePartition => new(PartitionKeyVersion.V2, [("", "FF")]);

    private static AttemptAnswer Answer(int status, string? reason = null) => new(AnswerReading.KindOf(status, 0), status, 0, 1.5, default, reason);

    private static AttemptAnswer Throttled(int retryAfterMs) => new(AttemptKind.Throttled, 429, 3200, 0, TimeSpan.FromMilliseconds(retryAfterMs), null);

    private static async Task<(long Inserted, long AlreadyPresent, long Failed)> OutcomeOfAsync(params AttemptAnswer[] answers)
    {
        var totals = (await RunAsync(answers)).Meter.Totals;
        Assert.Equal(answers.Length, totals.Attempts);
        Assert.Equal(1.5 * answers.Length, totals.RequestUnits, precision: 6);
        return (totals.Inserted, totals.AlreadyPresent, totals.Failed);
    }

    private static async Task<(LegMeter Meter, Lane Lane)> RunAsync(
        AttemptAnswer[] answers, NumberRanges? uncertainBefore = null, LegControl? control = null, Action? onTry = null)
    {
        using var own = new LegControl(CancellationToken.None);
        var meter = new LegMeter(new LegClock(TimeProvider.System), OnePartition, TimeSpan.FromMinutes(1));
        var progress = new SliceProgress(new Slice(0, 1), 0, 1, NumberRanges.Empty);
        var lane = new Lane(control ?? own, progress, meter, uncertainBefore ?? NumberRanges.Empty, new Schedule(null, 0), new ScriptedOperation(answers, onTry));
        await lane.RunAsync();
        return (meter, lane);
    }

    private sealed class ScriptedOperation(AttemptAnswer[] answers, Action? onTry, Task<AttemptAnswer>? only = null) : IWorkloadOperation
    {
        private int _next;

        public int Partition => 0;

        public void Prepare(long first, int count)
        {
        }

        public Task<AttemptAnswer> TryAsync()
        {
            onTry?.Invoke();
            return only ?? Task.FromResult(answers[_next++]);
        }

        public void Dispose()
        {
        }
    }
}
