namespace ScaleOut.Orchestration;

/// <summary>
/// Names of the orchestrators and activities of runs. A durable engine stores them in its histories, so a deployed name must never be given
/// to something else.
/// </summary>
public static class FunctionNames
{
    public const string RunOrchestrator = "RunOrchestrator";
    public const string GroupOrchestrator = "GroupOrchestrator";
    public const string WorkerOrchestrator = "WorkerOrchestrator";

    /// <summary>Input: the run's spec. Result: <see cref="Admission"/>.</summary>
    public const string AdmitRun = "AdmitRun";

    /// <summary>Input: the run's spec. Result: <see cref="Preparation"/>.</summary>
    public const string PrepareContainer = "PrepareContainer";

    /// <summary>Input: <see cref="LegInput"/>. Result: <see cref="LegOutput"/>. Fails when the leg left no result.</summary>
    public const string RunLeg = "RunLeg";

    /// <summary>
    /// Input: <see cref="ThroughputChange"/>. Result: <see cref="ThroughputChangeResult"/>. Does nothing before the change is due.
    /// </summary>
    public const string ChangeThroughput = "ChangeThroughput";

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: <see cref="Verification"/>.</summary>
    public const string VerifyContainer = "VerifyContainer";

    /// <summary>Input: <see cref="RunEnding"/>. Result: <see cref="RunOutcome"/>.</summary>
    public const string SaveReport = "SaveReport";

    /// <summary>
    /// Saves the report with the input that an earlier call of <see cref="SaveReport"/> stored. Input: <see cref="KeptEnding"/>. Result:
    /// <see cref="RunOutcome"/>.
    /// </summary>
    public const string SaveKeptReport = "SaveKeptReport";

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: whether the container is deleted.</summary>
    public const string CleanUp = "CleanUp";

    /// <summary>
    /// Input: <see cref="RunEnded"/>. Result: whether the run has ended; false if it left something for a resumed run to delete.
    /// </summary>
    public const string EndRun = "EndRun";
}

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

/// <summary>
/// Versions of the orchestrators. An engine replays histories that began before a deployment, so a change of what an orchestrator awaits,
/// or in which order, needs a new version. Raise <see cref="Current"/> and <c>defaultVersion</c> in host.json, and branch on
/// <see cref="IOrchestrationContext.Version"/>. The tests replay histories of each version.
/// </summary>
public static class OrchestrationVersions
{
    /// <summary>
    /// Version that orchestrations are started with. Since 1.1, a retry of the report holds no second copy of its input. Since 1.2, an
    /// error that may be one of an SDK has one more try, an experiment continues as new after each run, and the input of a leg has no large
    /// spec. Since 1.3, the variants of an experiment follow each other equally often.
    /// </summary>
    public const string Current = "1.3";

    /// <summary>Whether an orchestration was started with a version or a later one.</summary>
    /// <param name="version">Version of the orchestration. Empty counts as the newest.</param>
    /// <param name="since">Such as <c>1.1</c>.</param>
    public static bool IsAtLeast(string version, string since) =>
        version.Length == 0 || System.Version.Parse(version) >= System.Version.Parse(since);
}
