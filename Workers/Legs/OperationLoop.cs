namespace ScaleOut.Workers.Legs;

/// <summary>Runs the operation loops of a leg, or of a preload.</summary>
internal static class LegLoops
{
    /// <summary>
    /// Runs loops until all have ended, or until those that still wait for a response are abandoned. The first error of a loop ends the
    /// others too, and is thrown.
    /// </summary>
    /// <returns>The time after which no loop counted anything, and the units with an unknown outcome.</returns>
    public static async Task<(long EndedAt, IReadOnlyList<NumberRange> Open)> RunAsync(
        IReadOnlyList<OperationLoop> loops, LegControl control)
    {
        ExceptionDispatchInfo? error = null;
        var work = Task.WhenAll(loops.Select(loop => Task.Run(() => RunOneAsync(loop), CancellationToken.None)));
        await Task.WhenAny(work, control.Overdue);
        var endedAt = control.Time.GetTimestamp();
        List<NumberRange> open = [.. loops.Select(loop => loop.Leave()).OfType<NumberRange>()];
        Volatile.Read(ref error)?.Throw();
        return (endedAt, open);

        async Task RunOneAsync(OperationLoop loop)
        {
            try
            {
                await loop.RunAsync();
            }
            catch (Exception e)
            {
                Interlocked.CompareExchange(ref error, ExceptionDispatchInfo.Capture(e), null);
                control.EndWith(LegEnd.Rejected, TimeSpan.Zero, e.Message);
            }
        }
    }
}

/// <summary>What the operation loops of a leg, or of a preload, share.</summary>
/// <param name="UncertainBefore">Numbers that an earlier leg left with an unknown outcome.</param>
internal sealed record LoopContext(
    LegControl Control, SliceNumbers Progress, LegMeter Meter, Schedule Schedule, RequestUnitPace Pace, NumberSet UncertainBefore);

/// <summary>
/// Keeps one of a worker's operations in flight: takes a unit of documents, tries it until there is an outcome, and takes the next.
/// </summary>
/// <param name="index">Index of the loop among those of the leg.</param>
internal sealed class OperationLoop(LoopContext context, IWorkloadOperation operation, int index = 0)
{
    // Read in each operation, so without a detour over the context. Between two operations the SDK runs so much code that each call and
    // each object that an operation needs is fetched from memory again.
    private readonly LegControl _control = context.Control;
    private readonly SliceNumbers _progress = context.Progress;
    private readonly LegMeter _meter = context.Meter;
    private readonly LegClock _clock = context.Meter.Clock;
    private readonly Schedule _schedule = context.Schedule;
    private readonly RequestUnitPace _pace = context.Pace;
    private readonly NumberSet _uncertainBefore = context.UncertainBefore;
    private readonly bool _isOpen = context.Schedule.Plan.IsOpen;
    private readonly bool _startsAtOnce = !context.Schedule.Plan.IsOpen && context.Pace.IsNone;
    private readonly bool _mayPause = context.Schedule.Plan.ChangesConcurrency;
    private readonly bool _thinks = context.Schedule.Plan.ThinkTime > TimeSpan.Zero;
    private readonly bool _isAction = operation.IsAction;
    private readonly Lock _gate = new();

    /// <summary>Outcomes of the parts of the current unit, unless it has only one.</summary>
    private readonly List<FinishedPart> _parts = new(1);

    private bool _left;
    private bool _outcomeUnknown;

    // The current unit: when it began, and how long it waited after 429s.
    private long _startedAt;
    private long _throttledWait;

    // The current part of the unit. A unit with several parts is uncertain as a whole once one of its parts was tried.
    private bool _unknownBefore;
    private bool _unknown;
    private bool _touched;
    private RetryDelay? _delay;

    /// <summary>The unit that the loop has taken and not finished.</summary>
    public NumberRange? Unfinished { get; private set; }

    /// <summary>Whether <see cref="Unfinished"/> may have been written nevertheless.</summary>
    public bool OutcomeUnknown => Volatile.Read(ref _outcomeUnknown);

    public async Task RunAsync()
    {
        using (operation)
            await WorkAsync();
    }

    /// <summary>
    /// Abandons the loop: a later response is not counted, so that the leg's figures no longer change. Returns the unit that it left with
    /// an unknown outcome; null if there is none.
    /// </summary>
    public NumberRange? Leave()
    {
        lock (_gate)
        {
            _left = true;
            return OutcomeUnknown ? Unfinished : null;
        }
    }

    /// <summary>
    /// By how many documents the steps of <see cref="Unfinished"/> that have an outcome changed the container's count; 0 for workloads
    /// other than actions. It is final once the loop was left.
    /// </summary>
    public long RiseOfUnfinished(WorkloadSpec workload)
    {
        lock (_gate)
            return workload.Action is null ? 0 : _parts.Sum(step => workload.RiseOf(step.Part, step.Counts));
    }

    /// <summary>The only asynchronous method of an operation that neither waits nor is tried again.</summary>
    private async Task WorkAsync()
    {
        if (_thinks)
            await _schedule.ThinkAsync(_schedule.Plan.FirstThinkShare(index), _control.Closing);
        while (_control.Taking
            && (!_mayPause || await _schedule.WaitForLoopAsync(index, _control.Closing))
            && _progress.TryTake(out var unit))
        {
            double units = 0;
            if (!TryBegin(unit))
                return;
            if (_startsAtOnce)
                _startedAt = _schedule.StartNow();
            else if (await StartAsync(unit) is { } taken)
                units = taken;
            else
                return;
            // In a closed loop nothing was waited for since the unit began.
            var attemptAt = _isOpen ? _clock.Now : _startedAt;
            while (true)
            {
                Volatile.Write(ref _outcomeUnknown, true);
                _meter.BeginOperation();
                await operation.SendAsync().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                var next = Count(unit, attemptAt, units, out var response);
                if (next == AfterAttempt.TakeUnit)
                    break;
                if (next == AfterAttempt.End || (next == AfterAttempt.Retry && !await WaitAfterAsync(response)))
                    return;
                // Only the first step of an action waits for the pace. If the others did too, each would wait behind the first steps of
                // all other loops, and hardly any action would end. What they are charged delays later actions.
                if ((_touched && _isAction ? 0 : await _pace.TakeAsync(_control.Cut)) is not { } again)
                    return;
                (units, attemptAt) = (again, _clock.Now);
            }

            if (_thinks)
                await _schedule.ThinkAsync(share: 1, _control.Closing);
        }
    }

    /// <summary>Takes a unit; false if the loop was left.</summary>
    private bool TryBegin(NumberRange unit)
    {
        lock (_gate)
        {
            if (_left)
                return false;
            Unfinished = unit;
            _outcomeUnknown = _unknownBefore = _unknown = _uncertainBefore.Contains(unit.First);
        }

        (_touched, _delay, _throttledWait) = (false, null, 0);
        operation.Prepare(unit.First, (int)unit.Count);
        return true;
    }

    /// <summary>
    /// Waits until a unit may begin. Returns the units of the pace that its first attempt takes; null if the leg closes first. In a closed
    /// loop an operation begins after it has waited for the pace. In an open loop it begins when it is due, so that waiting for the pace
    /// makes it late.
    /// </summary>
    private async ValueTask<double?> StartAsync(NumberRange unit)
    {
        var taken = _isOpen ? null : await _pace.TakeAsync(_control.Closing);
        if ((taken is null && !_isOpen) || await _schedule.WaitForTurnAsync(unit, _control.Closing) is not { } startedAt)
            return null;
        _startedAt = startedAt;
        return taken ?? await _pace.TakeAsync(_control.Closing);
    }

    /// <summary>Counts an attempt, and its unit if that is finished.</summary>
    private AfterAttempt Count(NumberRange unit, long attemptAt, double units, out AttemptResponse response)
    {
        var endedAt = _clock.Now;
        response = operation.Read();
        _pace.Settle(units, response.RequestUnits);
        lock (_gate)
        {
            if (_left)
                return AfterAttempt.End;
            var (partition, part) = (operation.Partition, operation.Part);
            if (OutcomeOf_NeedsLock(unit, part, response) is not { } outcome)
            {
                _meter.Attempt(response, attemptAt, endedAt, partition, part);
                _unknown |= response.OutcomeUnknown || response.Kind == AttemptKind.RetryUncertain;
                Volatile.Write(ref _outcomeUnknown, _unknown || _touched);
                return AfterAttempt.Retry;
            }

            var finished = new FinishedPart(
                part, partition, outcome, operation.PartDocuments ?? (int)unit.Count, operation.PartBytes, endedAt);
            var hasNext = operation.NextPart();
            var isWhole = !hasNext && _parts.Count == 0 && !_isAction;
            _meter.Attempt(response, attemptAt, endedAt, partition, part, isWhole ? finished.Counts : default);
            if (!isWhole)
                _parts.Add(finished);
            if (hasNext)
            {
                (_unknown, _touched, _delay) = (_unknownBefore, true, null);
                return AfterAttempt.TryPart;
            }

            if (!isWhole)
                FinishParts_NeedsLock(unit, endedAt);
            else if (outcome != AttemptKind.Failed)
                _meter.Operation(_startedAt, endedAt, part, _throttledWait);
            Unfinished = null;
            _progress.Finish(unit);
            return AfterAttempt.TakeUnit;
        }
    }

    /// <summary>Waits as a response asks for; false if the leg ends.</summary>
    private async ValueTask<bool> WaitAfterAsync(AttemptResponse response)
    {
        if (response.Kind == AttemptKind.Rejected)
        {
            _control.EndWith(
                LegEnd.Rejected, TimeSpan.Zero, $"The account rejects the client: {response.Code} {response.Reason}".TrimEnd());
            return false;
        }

        if (response.Kind != AttemptKind.Continued)
        {
            var from = _clock.Now;
            await Task.Delay((_delay ??= new RetryDelay()).After(response), _clock.Time, _control.Cut)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            _throttledWait += response.Kind == AttemptKind.Throttled ? _clock.Now - from : 0;
        }

        return !_control.Cut.IsCancellationRequested;
    }

    /// <summary>
    /// The outcome of a part, whose text is kept if it failed; null if the response is none. An outcome is counted when the unit is
    /// finished, because a unit that is cut is repeated as a whole.
    /// </summary>
    private AttemptKind? OutcomeOf_NeedsLock(NumberRange unit, int part, in AttemptResponse response)
    {
        var kind = response.Kind;
        if (kind == AttemptKind.AlreadyThere && _unknown)
            kind = AttemptKind.Succeeded;
        if (kind == AttemptKind.Failed)
            _meter.Failure(_isAction ? $"action {unit.First}, step {part + 1}" : $"document {unit.First}", response);
        return kind is AttemptKind.Succeeded or AttemptKind.AlreadyThere or AttemptKind.Failed ? kind : null;
    }

    /// <summary>Counts the outcomes of a unit with several parts, or of an action.</summary>
    private void FinishParts_NeedsLock(NumberRange unit, long endedAt)
    {
        int? counted = _isAction ? null : operation.Part;
        if (_isAction)
            FinishAction_NeedsLock();
        long failed = 0;
        foreach (var part in _parts)
        {
            _meter.Finished(part.Counts, endedAt, part.Partition, counted);
            failed += part.Kind == AttemptKind.Failed ? part.Documents : 0;
        }

        if (failed < unit.Count)
            _meter.Operation(_startedAt, endedAt, counted, _throttledWait);
        _parts.Clear();
    }

    /// <summary>
    /// Counts each step of an action, and leaves one part for the whole action, on the partition of the step that ended it. An action of
    /// which a lost leg had written a document counts as already there.
    /// </summary>
    private void FinishAction_NeedsLock()
    {
        var startedAt = _startedAt;
        foreach (var step in _parts)
        {
            _meter.Step(step.Part, step.Counts, startedAt, step.EndedAt);
            startedAt = step.EndedAt;
        }

        var last = _parts[^1];
        var whole = last.Kind != AttemptKind.Failed && _parts.Exists(step => step.Kind == AttemptKind.AlreadyThere)
            ? AttemptKind.AlreadyThere
            : last.Kind;
        var bytes = _parts.Sum(step => step.Kind == AttemptKind.Succeeded ? step.Bytes : 0);
        _parts.Clear();
        _parts.Add(last with { Kind = whole, Documents = 1, Bytes = bytes });
    }

    /// <param name="Part">As <see cref="IWorkloadOperation.Part"/>.</param>
    /// <param name="Kind">Succeeded, already there, or failed.</param>
    private readonly record struct FinishedPart(int Part, int Partition, AttemptKind Kind, int Documents, int Bytes, long EndedAt)
    {
        public Counts Counts => Kind switch
        {
            AttemptKind.Failed => new Counts { Failed = Documents },
            AttemptKind.AlreadyThere => new Counts { AlreadyPresent = Documents },
            _ => new Counts { Inserted = Documents, Bytes = Bytes },
        };
    }

    /// <summary>What a loop does after an attempt.</summary>
    private enum AfterAttempt
    {
        /// <summary>The unit is finished.</summary>
        TakeUnit,

        /// <summary>The unit has another part.</summary>
        TryPart,

        Retry,

        /// <summary>The loop was left.</summary>
        End,
    }
}
