namespace ScaleOut.Progress;

/// <summary>How often a worker reports its progress by queue and in telemetry.</summary>
public static class ProgressInterval
{
    private const int FewWorkers = 20;
    private const double OfFewWorkersSeconds = 5;
    private const double OfManyWorkersSeconds = 10;
    private const double MessagesPerSecond = 20;

    /// <summary>
    /// 5 s up to 20 workers, and 10 s above. From 200 workers on it is longer, so that all workers together send 20 messages a second,
    /// because each message is billed.
    /// </summary>
    public static TimeSpan For(int workers) =>
        TimeSpan.FromSeconds(workers <= FewWorkers ? OfFewWorkersSeconds : Math.Max(OfManyWorkersSeconds, workers / MessagesPerSecond));
}

/// <summary>Sampling of a run's operations in telemetry.</summary>
public static class TelemetrySampling
{
    /// <summary>Number of operations that one record stands for. Slow operations have records of their own.</summary>
    public const int OperationsPerRecord = 1_000;

    /// <summary>
    /// Maximum number of records of slow operations per second, of all workers of a run together. It limits what a load costs whose every
    /// operation is slow.
    /// </summary>
    public const int SlowOperationsPerSecond = 50;
}
