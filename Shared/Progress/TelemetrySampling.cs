namespace ScaleOut.Progress;

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
