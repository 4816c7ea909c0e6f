namespace ScaleOut.Tests.Infra;

/// <summary>The records that workers and runs send to Application Insights, by event name or dependency type.</summary>
internal static class TelemetrySchema
{
    public static IReadOnlyDictionary<string, TelemetryRecord> Records { get; } = new Dictionary<string, TelemetryRecord>
    {
        ["WorkerInterval"] = new(
            ["runId", "worker", "mode", "instance", "leg", "startedAtUtc", "histogram"],
            ["seconds", "inserted", "alreadyPresent", "failed", "throttled", "attempts", "requestUnits", "cpuSeconds", "inFlight"]),
        ["PartitionInterval"] = new(
            ["runId", "worker", "partition", "range"],
            ["seconds", "requestUnits", "throttled", "budgetPerSecond"]),
        ["RunEnded"] = new(
            ["runId", "state"],
            ["documents", "inserted", "throttled", "requestUnits", "distinctInstances", "makespanPerSecond"]),
        ["Azure DocumentDB"] = new(["runId", "worker", "mode", "instance"], []),
    };
}
