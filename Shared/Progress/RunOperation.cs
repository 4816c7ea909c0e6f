namespace ScaleOut.Progress;

/// <summary>A run as one operation. Its ids have the form of W3C Trace Context and follow from the run's id.</summary>
public static class RunOperation
{
    private const int TraceDigits = 32;
    private const int SpanDigits = 16;

    public static string IdOf(string runId) => Digits(runId)[..TraceDigits];

    /// <summary>
    /// Id of the request that stands for an attempt at the run and is the parent of its workers' records. The instance id of the first
    /// attempt is the run's id.
    /// </summary>
    public static string RequestIdOf(string instanceId) => Digits(instanceId)[TraceDigits..(TraceDigits + SpanDigits)];

    /// <summary>Starts an activity in the run's operation. The spans of an orchestration that is scheduled in it are in it too.</summary>
    public static Activity Begin(string runId, string instanceId) => new Activity("schedule").SetParentId(
        ActivityTraceId.CreateFromString(IdOf(runId)),
        ActivitySpanId.CreateFromString(RequestIdOf(instanceId)),
        ActivityTraceFlags.Recorded).Start();

    private static string Digits(string id) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(id)));
}
