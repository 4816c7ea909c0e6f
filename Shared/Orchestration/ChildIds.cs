namespace ScaleOut.Orchestration;

/// <summary>
/// Ids of a run's orchestrations: its own and those of its groups and workers. At the first attempt, the run's own orchestration has the
/// run's id. Each id depends only on the run and the child, so that a replay finds the same child. A run's id cannot contain a colon.
/// </summary>
public static class ChildIds
{
    private const string AgainMark = ":again-";
    private const string ResumedMark = ":resumed-";
    private const string GroupMark = ":group-";
    private const string WorkerMark = ":worker-";

    /// <summary>Id for a run that an experiment measures again, such as <c>ladder-v01-r02:again-2</c>.</summary>
    /// <param name="attempt">The experiment's attempt, from 2.</param>
    public static string Again(string runId, int attempt) => $"{runId}{AgainMark}{attempt}";

    /// <summary>Id for an attempt at a run, such as <c>million-1:resumed-2</c>. The first attempt has the run's id.</summary>
    public static string Attempt(string runId, int attempt) => attempt == 1 ? runId : $"{runId}{ResumedMark}{attempt}";

    /// <summary>Prefix of the ids of a run's orchestrations, except the run's id itself.</summary>
    public static string Prefix(string runId) => $"{runId}:";

    /// <summary>The id of the run's own orchestration, from that id or the id of a group or worker.</summary>
    public static string Root(string instanceId)
    {
        var child = Math.Max(
            instanceId.LastIndexOf(GroupMark, StringComparison.Ordinal), instanceId.LastIndexOf(WorkerMark, StringComparison.Ordinal));
        return child < 0 ? instanceId : instanceId[..child];
    }

    /// <summary>Id of a group, such as <c>million-1:group-0050</c>.</summary>
    public static string Group(string root, int firstWorker) => $"{root}{GroupMark}{firstWorker:D4}";

    /// <summary>Id of a worker, such as <c>million-1:worker-0007</c>.</summary>
    public static string Worker(string root, int worker) => $"{root}{WorkerMark}{worker:D4}";
}
