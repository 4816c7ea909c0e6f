namespace ScaleOut.Progress;

/// <summary>How often a worker reports its progress by queue and in telemetry.</summary>
public static class ProgressInterval
{
    /// <summary>How often a leg tells its process. Not each of these reports is sent.</summary>
    public static readonly TimeSpan OfLeg = TimeSpan.FromSeconds(0.5);

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
