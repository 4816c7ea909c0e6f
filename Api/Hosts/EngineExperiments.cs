namespace ScaleOut.Api.Hosts;

/// <summary>An experiment on a durable engine as the interface shows it.</summary>
public static class EngineExperiments
{
    /// <summary>How far an experiment is.</summary>
    /// <param name="state">Where the engine has its orchestration.</param>
    /// <param name="status">What the orchestration published last; null before the first time.</param>
    /// <param name="failure">Why it failed; null otherwise.</param>
    /// <param name="stopRequested">Whether its stop flag is set.</param>
    public static HostedExperiment From(EngineState state, ExperimentStatus? status, string? failure, bool stopRequested) => state switch
    {
        _ when status?.Outcome is { } outcome => new HostedExperiment(HostedExperiment.StateOf(outcome.State), status, []),
        EngineState.Pending => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Queued, status, []),
        EngineState.Running => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Running, status, []),
        EngineState.Terminated => new HostedExperiment(HostedState.Interrupted, status, ["Its orchestration was ended by hand."]),
        _ => new HostedExperiment(HostedState.Failed, status, [LegOutput.Shorten(failure) ?? "Its orchestration failed."]),
    };
}
