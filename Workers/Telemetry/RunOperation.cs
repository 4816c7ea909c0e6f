namespace ScaleOut.Workers.Telemetry;

/// <summary>A run as one operation. Its ids have the form of W3C Trace Context and follow from the run's id.</summary>
internal static class RunOperation
{
    private const int TraceDigits = 32;
    private const int SpanDigits = 16;

    public static string IdOf(string runId) => Digits(runId)[..TraceDigits];

    /// <summary>Id of the request that stands for the whole run and is the parent of its workers' records.</summary>
    public static string RequestIdOf(string runId) => Digits(runId)[TraceDigits..(TraceDigits + SpanDigits)];

    private static string Digits(string runId) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(runId)));
}
