using System.Diagnostics;
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

    private bool _outcomeUnknown;

    /// <summary>The unit that the lane has taken and not finished; null when there is none.</summary>
    public Slice? Unfinished { get; private set; }

    /// <summary>Whether <see cref="Unfinished"/> may have been put all the same.</summary>
    public bool OutcomeUnknown => Volatile.Read(ref _outcomeUnknown);

    public async Task RunAsync()
    {
        while (control.Taking && progress.TryTake(out var unit))
        {
            Unfinished = unit;
            _outcomeUnknown = uncertainBefore.Contains(unit.First);
            if (!await FinishAsync(unit))
                return;
            Unfinished = null;
            progress.Finish(unit);
        }

        operation.Dispose();
    }

    /// <summary>Tries a unit until there is an outcome; false when the leg was cut before.</summary>
    private async Task<bool> FinishAsync(Slice unit)
    {
        var documents = (int)unit.Count;
        operation.Prepare(unit.First, documents);
        var backOff = FirstBackOff;
        if (await schedule.WaitForTurnAsync(unit, control.Closing) is not { } startedAt)
            return false;

        while (true)
        {
            var knownSoFar = !_outcomeUnknown;
            Volatile.Write(ref _outcomeUnknown, true);
            meter.HandedOver();
            var attemptAt = LegClock.Now;
            var answer = await operation.TryAsync(control.Cut);
            var endedAt = LegClock.Now;
            meter.Attempt(answer, attemptAt, endedAt, operation.Partition);

            switch (answer.Kind)
            {
                case AttemptKind.Put:
                    meter.Inserted(documents, startedAt, endedAt, operation.Partition);
                    return true;
                case AttemptKind.AlreadyThere when knownSoFar:
                    meter.AlreadyPresent(documents, startedAt, endedAt);
                    return true;
                case AttemptKind.AlreadyThere:
                    meter.Inserted(documents, startedAt, endedAt, operation.Partition);
                    return true;
                case AttemptKind.Failed:
                    meter.Failed(documents, unit.First, answer, endedAt);
                    return true;
                case AttemptKind.Refused:
                    Volatile.Write(ref _outcomeUnknown, !knownSoFar);
                    control.EndWith(LegEnd.Refused, TimeSpan.Zero, $"The account refuses: {answer.Code} {answer.Reason}".TrimEnd());
                    return false;
                case AttemptKind.Throttled:
                    Volatile.Write(ref _outcomeUnknown, !knownSoFar);
                    await WaitAsync(answer.RetryAfter + TimerGrain);
                    break;
                case AttemptKind.Retry:
                case AttemptKind.RetryUncertain:
                    Volatile.Write(ref _outcomeUnknown, !knownSoFar || answer.Kind == AttemptKind.RetryUncertain);
                    await WaitAsync(answer.RetryAfter > backOff ? answer.RetryAfter : backOff);
                    backOff = backOff * 2 < LongestBackOff ? backOff * 2 : LongestBackOff;
                    break;
                default:
                    throw new UnreachableException($"No such outcome: {answer.Kind}.");
            }

            if (control.Cut.IsCancellationRequested)
                return false;
        }
    }

    private async Task WaitAsync(TimeSpan wait) => await Task.Delay(wait, control.Cut).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
