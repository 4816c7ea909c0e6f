namespace ScaleOut.Orchestration;

/// <summary>
/// Names of the orchestrators and activities of runs. The histories of a durable engine hold them: a name that has been deployed is never
/// given to something else.
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

    /// <summary>Input: <see cref="LegInput"/>. Result: <see cref="LegOutput"/>. It fails when the leg left no result.</summary>
    public const string RunLeg = "RunLeg";

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: <see cref="Verification"/>.</summary>
    public const string VerifyContainer = "VerifyContainer";

    /// <summary>
    /// Input: <see cref="RunEnding"/>. Result: <see cref="RunOutcome"/>. While legs may be repeated (<see cref="RunEnding.MayRepeat"/>) and
    /// some have to be, nothing is saved, and the outcome names their workers.
    /// </summary>
    public const string SaveReport = "SaveReport";

    /// <summary>
    /// The same with what an earlier call of <see cref="SaveReport"/> kept. Input: <see cref="KeptEnding"/>. Result:
    /// <see cref="RunOutcome"/>.
    /// </summary>
    public const string SaveKeptReport = "SaveKeptReport";

    /// <summary>Input: <see cref="PreparedContainer"/>. Result: whether there is nothing left of it.</summary>
    public const string CleanUp = "CleanUp";

    /// <summary>
    /// Input: <see cref="RunEnded"/>. Result: whether the run has ended; false while something of it is left that a resumed run is to
    /// delete.
    /// </summary>
    public const string EndRun = "EndRun";
}
