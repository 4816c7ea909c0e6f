namespace ScaleOut.Orchestration;

/// <summary>
/// Versions of what orchestrators await. An engine replays the history of an orchestration that began before a deployment, so an
/// orchestrator awaits something else, or in another order, only from a new version on: raise <see cref="Current"/> and
/// <c>defaultVersion</c> in host.json, and branch on <see cref="IOrchestrationContext.Version"/>. The tests replay histories of each
/// version.
/// </summary>
public static class OrchestrationVersions
{
    /// <summary>What orchestrations are started with. 1.1: a retry of the report holds no second copy of its input.</summary>
    public const string Current = "1.1";

    /// <summary>Whether an orchestration awaits what was new in a version. One without a version is as new as can be.</summary>
    /// <param name="version">The orchestration's; may be empty.</param>
    /// <param name="since">Such as <c>1.1</c>.</param>
    public static bool IsAtLeast(string version, string since) =>
        version.Length == 0 || System.Version.Parse(version) >= System.Version.Parse(since);
}
