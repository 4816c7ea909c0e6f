using PartitionKeyVersion = ScaleOut.PartitionKeys.PartitionKeyVersion;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class OperationLoopTests
{
    private static readonly AttemptResponse Created = Response(201);
    private static readonly AttemptResponse Conflict = Response(409);

    [Theory]
    [InlineData(true, 201)]
    [InlineData(false, 409)]
    [InlineData(true, 408, 409)]
    [InlineData(true, 0, 429, 409)]
    [InlineData(false, 429, 449, 409)]
    public async Task Run_ConflictAfterAnUnknownOutcome_IsInsertedAndOtherwiseAlreadyPresent(bool inserted, params int[] statuses)
    {
        var totals = (await RunAsync([.. statuses.Select(status => Response(status))])).Meter.Totals;
        Assert.Equal((inserted ? 1 : 0, inserted ? 0 : 1, 0), (totals.Inserted, totals.AlreadyPresent, totals.Failed));
        Assert.Equal(statuses.Length, totals.Attempts);
        // What 429s are charged is kept apart from the RU of the work.
        var throttled = statuses.Count(status => status == 429);
        Assert.Equal(
            (1.5 * (statuses.Length - throttled), 1.5 * throttled), (totals.RequestUnits.Value, totals.ThrottledRequestUnits.Value));
    }

    [Fact]
    public async Task Run_ConflictOnANumberThatTheLegBeforeLeftUncertain_IsInserted() =>
        Assert.Equal(1, (await RunAsync([Conflict], uncertainBefore: NumberSet.From([new NumberRange(0, 1)]))).Meter.Totals.Inserted);

    [Fact]
    public async Task Run_BadRequest_IsFailedAndNamed()
    {
        var (meter, loop) = await RunAsync([Response(400, reason: "no such thing\nstack")]);
        Assert.Equal(1, meter.Totals.Failed);
        Assert.Equal(["document 0: 400 no such thing"], meter.Failures);
        Assert.Null(loop.Unfinished);
    }

    [Fact]
    public async Task Run_Throttled_CountsEachAndWaitsAsLongAsAsked()
    {
        var startedAt = TimeProvider.System.GetTimestamp();
        var (meter, _) = await RunAsync([Throttled(60), Throttled(60), Created]);

        Assert.True(TimeProvider.System.GetElapsedTime(startedAt) >= TimeSpan.FromMilliseconds(120));
        Assert.Equal((3, 2, 1), (meter.Totals.Attempts, meter.Totals.Throttled, meter.Totals.Inserted));
        Assert.Equal(1, meter.OperationLatency.Count);
        Assert.True(meter.OperationLatency.MaxRecordedMicroseconds >= 120_000);
        Assert.InRange(meter.ThrottledWait.TotalMilliseconds, 120, meter.OperationLatency.MaxRecordedMicroseconds / 1000.0);
        Assert.Equal(3, meter.AttemptLatency.Count);
    }

    [Fact]
    public async Task Run_OtherErrorOrFailedOperation_CountsNoWaitAfterThrottling()
    {
        Assert.Equal(TimeSpan.Zero, (await RunAsync([Response(449), Created])).Meter.ThrottledWait);
        Assert.Equal(TimeSpan.Zero, (await RunAsync([Throttled(20), Response(400)])).Meter.ThrottledWait);
    }

    [Fact]
    public async Task Run_Rejected_EndsTheLegAndLeavesTheDocumentUndone()
    {
        using var control = new LegControl(CancellationToken.None);
        var (meter, loop) = await RunAsync([Response(401, reason: "wrong key")], control: control);

        Assert.Equal(LegEnd.Rejected, control.End);
        Assert.Equal(0, meter.Totals.Failed);
        Assert.Equal(new NumberRange(0, 1), loop.Unfinished);
        Assert.False(loop.OutcomeUnknown);
    }

    [Fact]
    public async Task Run_CutWhileThrottled_LeavesTheDocumentUndoneAndItsOutcomeKnown()
    {
        using var control = new LegControl(CancellationToken.None);
        var running = RunAsync([Throttled(60_000)], control: control);
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMilliseconds(50));
        var (meter, loop) = await running;

        Assert.Equal(new NumberRange(0, 1), loop.Unfinished);
        Assert.False(loop.OutcomeUnknown);
        // The next leg writes the document and counts its own waits.
        Assert.Equal(TimeSpan.Zero, meter.ThrottledWait);
    }

    [Fact]
    public async Task Run_CutDuringAnAttempt_LeavesTheOutcomeUnknown()
    {
        using var control = new LegControl(CancellationToken.None);
        // A timer cuts the leg, and the loop may try again before.
        var responses = Enumerable.Repeat(Response(0), 1_000).ToArray();
        var (meter, loop) = await RunAsync(responses, control: control, onTry: () => control.EndWith(LegEnd.TimeUp, TimeSpan.Zero));

        Assert.Equal(new NumberRange(0, 1), loop.Unfinished);
        Assert.True(loop.OutcomeUnknown);
        Assert.Equal(0, meter.InFlight);
    }

    [Fact]
    public async Task Leave_DuringAnAttempt_IgnoresItsResponse()
    {
        using var control = new LegControl(CancellationToken.None);
        var response = new TaskCompletionSource<AttemptResponse>();
        using var operation = new ScriptedOperation([], onTry: null, response.Task);
        var (meter, progress, loop) = Loop(control, operation, documents: 2);
        var running = loop.RunAsync();

        Assert.Equal(new NumberRange(0, 1), loop.Leave());
        response.SetResult(Created);
        await running;

        Assert.Equal((0, 0), (meter.Totals.Attempts, meter.Totals.Inserted));
        Assert.Equal(0, progress.Next);
    }

    [Fact]
    public async Task Run_SeveralKeys_CountsThePartsWhenAllAreDone()
    {
        var meter = await RunPartsAsync([Created, Response(429), Conflict, Response(400)]);
        Assert.Equal((4, 1), (meter.Totals.Attempts, meter.Totals.Throttled));
        Assert.Equal((2, 3, 4), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
        Assert.Equal(1, meter.OperationLatency.Count);
    }

    [Fact]
    public async Task Run_SeveralKeysThatTheLegBeforeLeftUncertain_AreInserted()
    {
        var meter = await RunPartsAsync([Conflict, Conflict, Created], NumberSet.From([new NumberRange(0, 9)]));
        Assert.Equal((9, 0, 0), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
    }

    [Fact]
    public async Task Run_TimeoutOnOneKey_DoesNotMakeTheNextOnesUncertain()
    {
        var meter = await RunPartsAsync([Response(408), Conflict, Conflict, Conflict]);
        Assert.Equal((2, 7, 0), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, meter.Totals.Failed));
    }

    [Fact]
    public async Task Run_CutBetweenTwoKeys_CountsNothingAndLeavesTheUnitUncertain()
    {
        using var control = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation([Created, Throttled(60_000)], parts: [2, 3, 4]);
        var (meter, progress, loop) = Loop(control, operation, documents: 9, unit: 9);
        var running = loop.RunAsync();
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMilliseconds(30));
        await running;

        Assert.Equal(new NumberRange(0, 9), loop.Leave());
        Assert.Equal((0, 0, 0L), (meter.Totals.Inserted, meter.Totals.AlreadyPresent, progress.Next));
    }

    /// <summary>What the first step is charged takes the worker's units of hours.</summary>
    [Fact]
    public async Task Run_ActionWithAPace_WaitsForItBeforeItsFirstStepOnly()
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        using var control = new LegControl(timeout.Token);
        using var operation = new ScriptedOperation([Created, Created, Created], parts: [1, 1, 1]) { IsAction = true };
        var pace = new RequestUnitPace(unitsPerSecond: 0.0001);
        var (meter, progress, loop) = Loop(control, operation, pace: pace);

        await loop.RunAsync();

        Assert.Equal((3, 1, 1L), (meter.Totals.Attempts, meter.Totals.Inserted, progress.Next));
        control.EndWith(LegEnd.TimeUp, TimeSpan.Zero);
        Assert.Null(await pace.TakeAsync(control.Closing));
    }

    [Fact]
    public async Task Run_ActionCutAfterItsFirstStep_LeavesWhatThatStepWrote()
    {
        using var control = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation([Created, Throttled(60_000)], parts: [1, 1]) { IsAction = true };
        var (meter, _, loop) = Loop(control, operation);
        var running = loop.RunAsync();
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMilliseconds(30));
        await running;

        Assert.Equal(new NumberRange(0, 1), loop.Leave());
        Assert.Equal(0, meter.Totals.Inserted);
        Assert.Equal(1, loop.RiseOfUnfinished(new WorkloadSpec { Action = [WorkloadKind.Insert, WorkloadKind.Read] }));
        Assert.Equal(-1, loop.RiseOfUnfinished(new WorkloadSpec { Action = [WorkloadKind.Delete, WorkloadKind.Query] }));
        Assert.Equal(0, loop.RiseOfUnfinished(new WorkloadSpec()));
    }

    /// <summary>The bytes of an action are those of the documents of actions that did all their steps.</summary>
    [Theory]
    [InlineData(201, 20)]
    [InlineData(409, 0)]
    [InlineData(400, 0)]
    public async Task Run_Action_HasBytesOnlyIfAllItsStepsWereDone(int status, int bytes)
    {
        using var control = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation([Created, Response(status)], parts: [1, 1]) { IsAction = true, PartBytes = 10 };
        var (meter, _, loop) = Loop(control, operation);

        await loop.RunAsync();

        Assert.Equal(bytes, meter.Totals.Bytes);
    }

    [Fact]
    public async Task Run_PagesThatContinue_GoOnAtOnceAndCountOneOperation()
    {
        var page = new AttemptResponse(AttemptKind.Continued, 200, 0, default, default, null)
        {
            Calls = new QueryCalls(2, 3, [new() { Attempts = 1, RequestUnits = RequestUnits.From(2.5) }]),
        };

        var (meter, _) = await RunAsync([page, page with { Kind = AttemptKind.Succeeded }]);

        Assert.Equal((2, 1, 5.0), (meter.Totals.Attempts, meter.Totals.Inserted, meter.Totals.RequestUnits.Value));
        Assert.Equal((4, 6, 1), (meter.Calls, meter.Items, meter.OperationLatency.Count));
        Assert.Empty(meter.OtherErrors);
    }

    [Fact]
    public async Task RunAsync_OneLoopFails_EndsTheOthersAndThrowsItsError()
    {
        using var control = new LegControl(CancellationToken.None);
        // The response of the other loop never comes.
        using var waits = new ScriptedOperation([], only: new TaskCompletionSource<AttemptResponse>().Task);
        using var fails = new ScriptedOperation([], onTry: () => throw new DocumentException("document.csv", "no such column"));
        var loops = new[] { Loop(control, waits).OperationLoop, Loop(control, fails).OperationLoop };

        var error = await Assert.ThrowsAsync<DocumentException>(() => LegLoops.RunAsync(loops, control));

        Assert.Equal("document.csv: no such column", error.Message);
    }

    [Theory]
    [InlineData(201)]
    [InlineData(401)]
    public async Task Run_HoweverItEnds_DisposesOfItsOperation(int status)
    {
        using var control = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation([Response(status)]);

        await Loop(control, operation).OperationLoop.RunAsync();

        Assert.True(operation.IsDisposed);
    }

    private static AttemptResponse Response(int status, string? reason = null) =>
        new(ResponseReading.KindOf(status, 0), status, 0, RequestUnits.From(1.5), default, reason);

    private static AttemptResponse Throttled(int retryAfterMs) =>
        new(AttemptKind.Throttled, 429, 3200, default, TimeSpan.FromMilliseconds(retryAfterMs), null);

    private static async Task<(LegMeter Meter, OperationLoop OperationLoop)> RunAsync(
        AttemptResponse[] responses, NumberSet? uncertainBefore = null, LegControl? control = null, Action? onTry = null)
    {
        using var own = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation(responses, onTry);
        var (meter, _, loop) = Loop(control ?? own, operation, uncertainBefore: uncertainBefore);
        await loop.RunAsync();
        return (meter, loop);
    }

    /// <summary>Runs one unit of nine documents with three partition keys.</summary>
    private static async Task<LegMeter> RunPartsAsync(AttemptResponse[] responses, NumberSet? uncertainBefore = null)
    {
        using var control = new LegControl(CancellationToken.None);
        using var operation = new ScriptedOperation(responses, parts: [2, 3, 4]);
        var (meter, progress, loop) = Loop(control, operation, documents: 9, unit: 9, uncertainBefore);
        await loop.RunAsync();
        Assert.Equal(9, progress.Next);
        return meter;
    }

    private static (LegMeter Meter, SliceNumbers Progress, OperationLoop OperationLoop) Loop(
        LegControl control, ScriptedOperation operation, long documents = 1, int unit = 1, NumberSet? uncertainBefore = null,
        RequestUnitPace? pace = null)
    {
        var partitions = new PartitionRanges(PartitionKeyVersion.V2, [("", "FF")]);
        var meter = new LegMeter(new LegClock(TimeProvider.System), partitions, TimeSpan.FromMinutes(1))
        {
            Kinds = operation.IsAction ? new PartMeter(operation.Parts) : null,
        };
        var progress = new SliceNumbers(new NumberRange(0, documents), 0, unit, NumberSet.Empty);
        var context = new LoopContext(
            control, progress, meter, new Schedule(null, 0, meter.Clock), pace ?? RequestUnitPace.None, uncertainBefore ?? NumberSet.Empty);
        return (meter, progress, new(context, operation));
    }

    /// <param name="responses">Responses to the attempts in turn.</param>
    /// <param name="onTry">Called by each attempt.</param>
    /// <param name="only">The response to every attempt, in place of <paramref name="responses"/>.</param>
    /// <param name="parts">Documents of each partition key; null if all have the same.</param>
    private sealed class ScriptedOperation(
        AttemptResponse[] responses, Action? onTry = null, Task<AttemptResponse>? only = null, int[]? parts = null) : IWorkloadOperation
    {
        private int _part;
        private int _next;

        public int Partition => 0;

        public int Part => IsAction ? _part : 0;

        public int Parts => parts?.Length ?? 1;

        public bool IsAction { get; init; }

        public int PartBytes { get; init; }

        public int? PartDocuments => parts?[_part];

        public bool NextPart() => ++_part < parts?.Length;

        public void Prepare(long first, int count)
        {
        }

        public Task SendAsync()
        {
            onTry?.Invoke();
            return only ?? Task.CompletedTask;
        }

        public AttemptResponse Read() => only?.Result ?? responses[_next++];

        public bool IsDisposed { get; private set; }

        public void Dispose() => IsDisposed = true;
    }
}
