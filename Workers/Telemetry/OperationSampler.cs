namespace ScaleOut.Workers.Telemetry;

/// <summary>
/// Picks the operations that are reported one by one, and says how many operations each stands for. The sum is the number of operations,
/// but for the last few. Thread-safe; an operation that is not picked costs one interlocked addition.
/// </summary>
internal sealed class OperationSampler
{
    /// <summary>Operations that take longer are reported one by one.</summary>
    public const double SlowMs = 100;

    /// <summary>Limits the cost of reporting a load whose every operation is slow.</summary>
    public const int MaxSlowPerSecond = 50;

    private static readonly long SlowTicks = (long)(SlowMs / 1000 * Stopwatch.Frequency);

    private long _fast;
    private long _leftOut;
    private long _second;
    private int _inSecond;

    /// <summary>How many operations this one stands for; 0 when it is not to be reported.</summary>
    public long WeightOf(long startedAt, long endedAt)
    {
        if (endedAt - startedAt <= SlowTicks)
        {
            return Interlocked.Increment(ref _fast) % TelemetrySampling.OperationsPerRecord == 0
                ? TelemetrySampling.OperationsPerRecord : 0;
        }

        var second = endedAt / Stopwatch.Frequency;
        if (Interlocked.Exchange(ref _second, second) != second)
            Interlocked.Exchange(ref _inSecond, 0);
        if (Interlocked.Increment(ref _inSecond) <= MaxSlowPerSecond)
            return 1 + Interlocked.Exchange(ref _leftOut, 0);
        Interlocked.Increment(ref _leftOut);
        return 0;
    }
}
