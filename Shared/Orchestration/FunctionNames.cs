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
