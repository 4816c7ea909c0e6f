namespace ScaleOut.Progress;

/// <summary>How often a worker reports beyond its own machine: by queue, and in telemetry.</summary>
public static class ProgressInterval
{
    private const int FewWorkers = 20;
    private const double OfFewWorkersSeconds = 5;
    private const double OfManyWorkersSeconds = 10;
    private const double MessagesPerSecond = 20;

    /// <summary>
    /// 5 s up to 20 workers, 10 s above, and from 200 workers on as long as keeps all of them together at 20 messages a second: each
    /// message is billed.
    /// </summary>
    /// <param name="workers">Workers of the run.</param>
    public static TimeSpan For(int workers) =>
        TimeSpan.FromSeconds(workers <= FewWorkers ? OfFewWorkersSeconds : Math.Max(OfManyWorkersSeconds, workers / MessagesPerSecond));
}

/// <summary>How many of a run's operations have records of their own in telemetry.</summary>
public static class TelemetrySampling
{
    /// <summary>Of the operations that are not slow, one record stands for so many.</summary>
    public const int OperationsPerRecord = 1_000;
}
