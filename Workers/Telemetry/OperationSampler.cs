namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Picks the operations that are reported one by one, and says how many operations each stands for. The sum is the number of operations,
/// but for the last few. Thread-safe; an operation that is not picked costs one interlocked addition.
/// </summary>
/// <remarks>
/// Each worker has an equal share of <see cref="TelemetrySampling.SlowOperationsPerSecond"/>: of 20 workers each reports 2.5 slow
/// operations per second, of 200 one every 4 s. What a worker saves in a second it may report at once.
/// </remarks>
/// <param name="worker">Decides when the first slow operation is due, so that workers with less than one per second take turns.</param>
/// <param name="now">The time of the leg's start, as a timestamp.</param>
/// <param name="frequency">Timestamps in a second.</param>
internal sealed class OperationSampler(int worker, int workers, long now, long frequency)
{
    /// <summary>Operations that take longer are reported one by one.</summary>
    public const double SlowMs = 100;

    private readonly long _slowTicks = (long)(SlowMs / 1000 * frequency);

    /// <summary>Time between two slow operations of this worker that use its whole share.</summary>
    private readonly long _pause = frequency * workers / TelemetrySampling.SlowOperationsPerSecond;

    private long _fast;
    private long _leftOut;

    /// <summary>When the next slow operation is due. It may be reported up to a second before, as far as the pause leaves of it.</summary>
    private long _due = now + (frequency * worker / TelemetrySampling.SlowOperationsPerSecond);

    /// <summary>How many operations this one stands for; 0 when it is not to be reported.</summary>
    public long WeightOf(long startedAt, long endedAt)
    {
        if (endedAt - startedAt <= _slowTicks)
        {
            return Interlocked.Increment(ref _fast) % TelemetrySampling.OperationsPerRecord == 0
                ? TelemetrySampling.OperationsPerRecord : 0;
        }

        var due = Volatile.Read(ref _due);
        var isDue = due <= endedAt + Math.Max(0, frequency - _pause);
        // Race: two operations end at once and both are due. The one that moves the time is reported, and the other one is left out.
        if (isDue && Interlocked.CompareExchange(ref _due, Math.Max(due, endedAt) + _pause, due) == due)
            return 1 + Interlocked.Exchange(ref _leftOut, 0);
        Interlocked.Increment(ref _leftOut);
        return 0;
    }
}
