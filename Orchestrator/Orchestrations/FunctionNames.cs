namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>Names under which the functions are known to the engine. Histories hold them: a name that has been deployed is never given to something else.</summary>
internal static class FunctionNames
{
    public const string RunOrchestrator = "RunOrchestrator";
    public const string GroupOrchestrator = "GroupOrchestrator";
    public const string WorkerOrchestrator = "WorkerOrchestrator";

    public const string PrepareContainer = "PrepareContainer";
    public const string RunLeg = "RunLeg";
    public const string VerifyContainer = "VerifyContainer";
    public const string SaveReport = "SaveReport";
    public const string CleanUp = "CleanUp";
}
