using ScaleOut.Workers.Legs;

namespace ScaleOut.Workers.Containers;

/// <summary>Makes the changes of a container's throughput that a run's spec asks for, once they are due.</summary>
public static class ThroughputChanges
{
    /// <summary>Polling interval of the common start, shorter than its lead, so that a change at the start is in time.</summary>
    private static readonly TimeSpan StartPoll = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan StartPollOnOneMachine = StartBarrier.LeadOnOneMachine / 4;

    /// <summary>Makes a change if it is due. It may be called again: RU/s that the container has are not set again.</summary>
    /// <param name="now">The clock that the common start is compared with.</param>
    /// <param name="onOneMachine">Whether all workers are on this machine, so that they start sooner.</param>
    /// <exception cref="AccountException">The account rejects the RU/s.</exception>
    public static async Task<ThroughputChangeResult> ApplyAsync(
        RunFiles files, IContainerControl containers, ThroughputChange change, Func<DateTimeOffset> now, bool onOneMachine,
        CancellationToken cancellationToken)
    {
        if (await files.IsStopRequestedAsync(cancellationToken))
            return new ThroughputChangeResult();
        if (await files.ReadStartAsync(cancellationToken) is not { } start)
            return new ThroughputChangeResult { DueInSeconds = (onOneMachine ? StartPollOnOneMachine : StartPoll).TotalSeconds };
        var due = start.At.AddSeconds(change.AfterSeconds);
        if (due > now())
            return new ThroughputChangeResult { DueInSeconds = (due - now()).TotalSeconds is > 0 and var left ? left : 0.001 };
        return new ThroughputChangeResult
        {
            At = await containers.ChangeThroughputAsync(change, cancellationToken) ? now() : due,
        };
    }
}
