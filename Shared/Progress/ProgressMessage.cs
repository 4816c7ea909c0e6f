namespace ScaleOut.Progress;

/// <summary>Progress as the text of a queue message: the JSON of <see cref="WorkerProgress"/>, under 2 KB.</summary>
public static class ProgressMessage
{
    private const int MaxRunId = 40;

    /// <summary>Without the partitions and latencies, of which there may be too many for a message.</summary>
    public static string Write(WorkerProgress progress)
    {
        return JsonSerializer.Serialize(progress with { Partitions = [], Latency = null }, ScaleOutJson.Compact);
    }

    /// <summary>The progress in a text; null when it holds none, or one that no worker can have sent.</summary>
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
            return null;
        }
    }

    private static bool IsPossible(WorkerProgress progress) =>
        progress.RunId is { Length: > 0 and <= MaxRunId } runId
        && runId.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '-')
        && progress is { Workers: >= 1 and <= RunSpec.MaxWorkers, Worker: >= 0, Leg: >= 1, Attempt: >= 1, Before: not null }
        && progress.Worker < progress.Workers
        && Enum.IsDefined(progress.Activity);
}

/// <summary>Where a worker's progress goes: to the parent process, or to a queue. A failure to report never disturbs the leg.</summary>
public interface IProgressSink
{
    ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken);
}
