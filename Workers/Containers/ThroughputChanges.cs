namespace ScaleOut.Workers.Containers;

/// <summary>Makes the changes of a container's throughput that a run's spec asks for, once they are due.</summary>
public static class ThroughputChanges
{
    /// <summary>Polling interval of the common start.</summary>
    private static readonly TimeSpan StartPoll = TimeSpan.FromSeconds(1);

    /// <summary>Makes a change if it is due. It may be called again: RU/s that the container has are not set again.</summary>
    /// <param name="now">The clock that the common start is compared with.</param>
    /// <exception cref="AccountException">The account rejects the RU/s.</exception>
    public static async Task<ThroughputChangeResult> ApplyAsync(
        RunFiles files, IContainerControl containers, ThroughputChange change, Func<DateTimeOffset> now,
        CancellationToken cancellationToken)
    {
        if (await files.IsStopRequestedAsync(cancellationToken))
            return new ThroughputChangeResult();
        if (await files.ReadStartAsync(cancellationToken) is not { } start)
            return new ThroughputChangeResult { DueInSeconds = StartPoll.TotalSeconds };
        var due = start.At.AddSeconds(change.AfterSeconds);
        if (due > now())
            return new ThroughputChangeResult { DueInSeconds = (due - now()).TotalSeconds is > 0 and var left ? left : 0.001 };
        return new ThroughputChangeResult
        {
            At = await containers.ChangeThroughputAsync(change, cancellationToken) ? now() : due,
        };
    }
}
