namespace ScaleOut.Experiments;

/// <summary>
/// Names of the orchestrator and the activities of experiments. The histories of a durable engine hold them: a name that has been deployed
/// is never given to something else.
/// </summary>
public static class ExperimentFunctionNames
{
    public const string ExperimentOrchestrator = "ExperimentOrchestrator";

    /// <summary>Input: the experiment's spec. Result: why variants cannot be measured here, by their index.</summary>
    public const string CheckVariants = "CheckVariants";

    /// <summary>Input: the experiment's id. Result: whether it was asked to stop.</summary>
    public const string IsExperimentStopRequested = "IsExperimentStopRequested";

    /// <summary>Input: <see cref="ExperimentRunRequest"/>. Result: <see cref="ExperimentRunClaim"/>.</summary>
    public const string ClaimExperimentRun = "ClaimExperimentRun";

    /// <summary>Input: <see cref="ExperimentEnding"/>. Result: <see cref="ExperimentOutcome"/>.</summary>
    public const string SaveExperimentReport = "SaveExperimentReport";

    /// <summary>Input: <see cref="RateQuestion"/>. Result: <see cref="MeasuredRun"/>.</summary>
    public const string JudgeRate = "JudgeRate";
}
