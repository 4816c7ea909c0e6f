namespace ScaleOut.Progress;

/// <summary>How many of a run's operations have records of their own in telemetry.</summary>
public static class TelemetrySampling
{
    /// <summary>Of the operations that are not slow, one record stands for so many.</summary>
    public const int OperationsPerRecord = 1_000;
}
