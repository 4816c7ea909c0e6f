using ScaleOut.Orchestration;
using ScaleOut.Slicing;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Legs;

/// <summary>One of a worker's operations in flight: takes a unit of documents, tries it until there is an outcome, takes the next.</summary>
internal sealed class Lane(LegControl control, SliceProgress progress, LegMeter meter, NumberRanges uncertainBefore, Schedule schedule, IWorkloadOperation operation)
{
    /// <summary>Timers end up to a millisecond early, and a retry that comes early is throttled again.</summary>
    private static readonly TimeSpan TimerGrain = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan FirstBackOff = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan LongestBackOff = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private bool _left;
    private bool _outcomeUnknown;

    /// <summary>The unit that the lane has taken and not finished; null when there is none.</summary>
    public Slice? Unfinished { get; private set; }

    /// <summary>Whether <see cref="Unfinished"/> may have been put all the same.</summary>
    public bool OutcomeUnknown => Volatile.Read(ref _outcomeUnknown);

    public async Task RunAsync()
    {
        while (control.Taking && progress.TryTake(out var unit))
        {
            lock (_gate)
            {
                if (_left)
                    return;
                Unfinished = unit;
                _outcomeUnknown = uncertainBefore.Contains(unit.First);
            }

            if (!await FinishAsync(unit))
                return;
        }

        operation.Dispose();
    }

    /// <summary>
    /// Lets go of the lane: an answer that comes after this counts nowhere, so that the leg's figures stay as they are being read.
    /// Returns the unit that it left with an unknown outcome; null when there is none.
    /// </summary>
    public Slice? Leave()
    {
        lock (_gate)
        {
            _left = true;
            return OutcomeUnknown ? Unfinished : null;
        }
    }

    /// <summary>Tries a unit until there is an outcome; false when the leg was cut before.</summary>
    private async Task<bool> FinishAsync(Slice unit)
    {
        operation.Prepare(unit.First, (int)unit.Count);
        var backOff = FirstBackOff;
        if (await schedule.WaitForTurnAsync(unit, control.Closing) is not { } startedAt)
            return false;

        while (true)
        {
            var knownSoFar = !_outcomeUnknown;
            Volatile.Write(ref _outcomeUnknown, true);
            meter.HandedOver();
            var attemptAt = LegClock.Now;
            var answer = await operation.TryAsync();
            var endedAt = LegClock.Now;

            lock (_gate)
            {
                if (_left)
                    return false;
                meter.Attempt(answer, attemptAt, endedAt, operation.Partition);
                if (Settles(unit, answer, knownSoFar, startedAt, endedAt))
                    return true;
                Volatile.Write(ref _outcomeUnknown, !knownSoFar || answer.Kind == AttemptKind.RetryUncertain);
            }

            switch (answer.Kind)
            {
                case AttemptKind.Refused:
                    control.EndWith(LegEnd.Refused, TimeSpan.Zero, $"The account refuses: {answer.Code} {answer.Reason}".TrimEnd());
                    return false;
                case AttemptKind.Throttled:
                    await WaitAsync(answer.RetryAfter + TimerGrain);
                    break;
                default:
                    await WaitAsync(answer.RetryAfter > backOff ? answer.RetryAfter : backOff);
                    backOff = backOff * 2 < LongestBackOff ? backOff * 2 : LongestBackOff;
                    break;
            }

            if (control.Cut.IsCancellationRequested)
                return false;
        }
    }

    /// <summary>Counts a unit with the answer that is its outcome; false when the answer is none.</summary>
    private bool Settles(Slice unit, in AttemptAnswer answer, bool knownSoFar, long startedAt, long endedAt)
    {
        var documents = (int)unit.Count;
        switch (answer.Kind)
        {
            case AttemptKind.AlreadyThere when knownSoFar:
                meter.AlreadyPresent(documents, startedAt, endedAt);
                break;
            case AttemptKind.Put or AttemptKind.AlreadyThere:
                meter.Inserted(documents, startedAt, endedAt, operation.Partition);
                break;
            case AttemptKind.Failed:
                meter.Failed(documents, unit.First, answer, endedAt);
                break;
            default:
                return false;
        }

        Unfinished = null;
        progress.Finish(unit);
        return true;
    }

    private async Task WaitAsync(TimeSpan wait) => await Task.Delay(wait, control.Cut).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
