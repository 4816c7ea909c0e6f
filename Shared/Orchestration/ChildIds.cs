namespace ScaleOut.Orchestration;

/// <summary>
/// Ids of the orchestrations of a run: its own, which is the run's id at its first attempt, and those of its groups and workers. They are a
/// function of the run and the child, so that a replay finds the same child. A run's id cannot contain a colon.
/// </summary>
public static class ChildIds
{
    private const string AgainMark = ":again-";
    private const string ResumedMark = ":resumed-";
    private const string GroupMark = ":group-";
    private const string WorkerMark = ":worker-";

    /// <summary>A run that an experiment measures again, such as <c>ladder-v01-r02:again-2</c>.</summary>
    /// <param name="attempt">The experiment's attempt, from 2.</param>
    public static string Again(string runId, int attempt) => string.Create(CultureInfo.InvariantCulture, $"{runId}{AgainMark}{attempt}");

    /// <summary>An attempt at a run that is resumed, such as <c>million-1:resumed-2</c>; the first has the run's id.</summary>
    public static string Attempt(string runId, int attempt) =>
        attempt == 1 ? runId : string.Create(CultureInfo.InvariantCulture, $"{runId}{ResumedMark}{attempt}");

    /// <summary>What the ids of a run's orchestrations begin with, but for the run's id itself.</summary>
    public static string Prefix(string runId) => $"{runId}:";

    /// <summary>The id of the run's own orchestration, from that id or the id of a group or worker.</summary>
    public static string Root(string instanceId)
    {
        var child = Math.Max(
            instanceId.LastIndexOf(GroupMark, StringComparison.Ordinal), instanceId.LastIndexOf(WorkerMark, StringComparison.Ordinal));
        return child < 0 ? instanceId : instanceId[..child];
    }

    /// <summary>The group that begins with a worker, such as <c>million-1:group-0050</c>.</summary>
    public static string Group(string root, int firstWorker) =>
        string.Create(CultureInfo.InvariantCulture, $"{root}{GroupMark}{firstWorker:D4}");

    /// <summary>A worker, such as <c>million-1:worker-0007</c>.</summary>
    public static string Worker(string root, int worker) => string.Create(CultureInfo.InvariantCulture, $"{root}{WorkerMark}{worker:D4}");
}
