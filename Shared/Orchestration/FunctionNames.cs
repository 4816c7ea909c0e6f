namespace ScaleOut.Orchestration;

/// <summary>
/// Names of the orchestrators and activities of runs. The histories of a durable engine contain them, so a name that was deployed is never
/// reused.
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

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: <see cref="Verification"/>.</summary>
    public const string VerifyContainer = "VerifyContainer";

    /// <summary>Input: <see cref="RunEnding"/>. Result: <see cref="RunOutcome"/>.</summary>
    public const string SaveReport = "SaveReport";

    /// <summary>
    /// The same with what an earlier call of <see cref="SaveReport"/> kept. Input: <see cref="KeptEnding"/>. Result:
    /// <see cref="RunOutcome"/>.
    /// </summary>
    public const string SaveKeptReport = "SaveKeptReport";

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: whether nothing of it is left.</summary>
    public const string CleanUp = "CleanUp";

    /// <summary>
    /// Input: <see cref="RunEnded"/>. Result: whether the run has ended; false if it left something for a resumed run to delete.
    /// </summary>
    public const string EndRun = "EndRun";
}
