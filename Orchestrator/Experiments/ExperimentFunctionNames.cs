namespace ScaleOut.Orchestrator.Experiments;

/// <summary>Names under which the functions of experiments are known to the engine. Histories hold them: a name that has been deployed is never given to something else.</summary>
internal static class ExperimentFunctionNames
{
    public const string ExperimentOrchestrator = "ExperimentOrchestrator";

    public const string IsExperimentStopRequested = "IsExperimentStopRequested";
    public const string ClaimExperimentRun = "ClaimExperimentRun";
    public const string TakeUpExperimentRun = "TakeUpExperimentRun";
    public const string SaveExperimentReport = "SaveExperimentReport";
}
