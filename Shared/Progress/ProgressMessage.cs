namespace ScaleOut.Progress;

/// <summary>Progress as the text of a queue message: the JSON of <see cref="WorkerProgress"/>, under 2 KB.</summary>
public static class ProgressMessage
{
    private const int MaxRunId = 40;
    private const int MaxInstanceId = 100;

    /// <summary>Leaves out the partitions and latencies, which may be too long for a message.</summary>
    public static string Write(WorkerProgress progress) =>
        JsonSerializer.Serialize(progress with { Partitions = [], Latency = null }, ScaleOutJson.Compact);

    /// <summary>Reads a message; null if the text is no progress, or has values that no worker can have sent.</summary>
    public static WorkerProgress? Read(string text)
    {
        try
        {
            return JsonSerializer.Deserialize<WorkerProgress>(text, ScaleOutJson.Compact) is { } progress && IsPossible(progress)
                ? progress with { Partitions = [], Latency = null }
                : null;
        }
        catch (JsonException)
        {
            // The text does not come from a worker: anybody can write to a queue.
            return null;
        }
    }

    private static bool IsPossible(WorkerProgress progress) =>
        progress.RunId is { Length: > 0 and <= MaxRunId } runId
        && runId.All(IsPartOfId)
        && (progress.RunInstanceId is null || IsInstanceOf(runId, progress.RunInstanceId))
        && progress is { Workers: >= 1 and <= RunSpec.MaxWorkers, Worker: >= 0, Leg: >= 1, Attempt: >= 1, Before: not null }
        && progress.Worker < progress.Workers
        && progress.Activity is >= WorkerState.Warming and <= WorkerState.Ended;

    /// <summary>Whether an id is that of a run's orchestration (<see cref="ChildIds"/>). It becomes a part of an item's name.</summary>
    private static bool IsInstanceOf(string runId, string instanceId) =>
        instanceId == runId
        || (instanceId.Length <= MaxInstanceId && instanceId.StartsWith(ChildIds.Prefix(runId), StringComparison.Ordinal)
            && instanceId.All(c => IsPartOfId(c) || c == ':'));

    private static bool IsPartOfId(char c) => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '-';
}

/// <summary>Receives a worker's progress: the parent process, or a queue. A failure to report must not disturb the leg.</summary>
public interface IProgressSink
{
    ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken);
}
