namespace ScaleOut.Progress;

/// <summary>How often a worker tells of itself beyond its own machine: by queue, and in telemetry.</summary>
public static class ProgressInterval
{
    private const double ShortestSeconds = 5;
    private const double MessagesPerSecond = 20;

    /// <summary>5 s, or as long as keeps all workers of the run together at 20 messages a second.</summary>
    /// <param name="workers">Workers of the run.</param>
    public static TimeSpan For(int workers) => TimeSpan.FromSeconds(Math.Max(ShortestSeconds, workers / MessagesPerSecond));
}
