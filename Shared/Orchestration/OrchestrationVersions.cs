namespace ScaleOut.Orchestration;

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
