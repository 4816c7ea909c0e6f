namespace ScaleOut.Progress;

/// <summary>A run while it goes on, as far as its workers have reported.</summary>
public sealed record RunProgressView
{
    /// <summary>By index; workers that were not heard of are missing.</summary>
    public IReadOnlyList<WorkerProgressView> Workers { get; init; } = [];

    public long Inserted { get; init; }

    public long AlreadyPresent { get; init; }

    public long Failed { get; init; }

    public long Throttled { get; init; }

    public double RequestUnits { get; init; }

    /// <summary>Documents finished over the time at work of the worker that was at it longest; 0 before the first.</summary>
    public double DocumentsPerSecond { get; init; }

    /// <summary>When the newest message was sent, UTC; null when there is none.</summary>
    public DateTimeOffset? At { get; init; }

    /// <summary>
    /// The progress that messages of a run's workers add up to, whatever their order and however often each came: the newest of each worker
    /// counts, and it carries what the worker's earlier legs came to.
    /// </summary>
    public static RunProgressView From(IEnumerable<WorkerProgress> messages)
    {
        var newest = messages.GroupBy(message => message.Worker).Select(group => group.MaxBy(message => message.Order)!);
        List<WorkerProgressView> workers = [.. newest.OrderBy(message => message.Worker).Select(WorkerProgressView.From)];
        var (inserted, alreadyPresent, failed) = (
            workers.Sum(w => w.Inserted), workers.Sum(w => w.AlreadyPresent), workers.Sum(w => w.Failed));
        var longest = workers.Select(worker => worker.Seconds).DefaultIfEmpty().Max();
        return new()
        {
            Workers = workers,
            Inserted = inserted,
            AlreadyPresent = alreadyPresent,
            Failed = failed,
            Throttled = workers.Sum(worker => worker.Throttled),
            RequestUnits = workers.Sum(worker => worker.RequestUnits),
            DocumentsPerSecond = longest > 0 ? (inserted + alreadyPresent + failed) / longest : 0,
            At = workers.Count == 0 ? null : workers.Max(worker => worker.At),
        };
    }
}
