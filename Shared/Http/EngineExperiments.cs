using System.Globalization;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;

namespace ScaleOut.Http;

/// <summary>An experiment on a durable engine as the interface tells it.</summary>
public static class EngineExperiments
{
    private const string Prefix = "experiment:";

    /// <summary>The instance id of an experiment's orchestration. Instances of runs have the runs' own ids, and no run's id has a colon.</summary>
    /// <param name="experimentId">The experiment's.</param>
    /// <param name="attempt">1 for the start; one more each time that it is taken up again: what an engine does with the id of an orchestration that has ended is not the same everywhere.</param>
    public static string InstanceIdOf(string experimentId, int attempt = 1) =>
        attempt == 1 ? $"{Prefix}{experimentId}" : string.Create(CultureInfo.InvariantCulture, $"{Prefix}{experimentId}:{attempt}");

    /// <summary>The attempt that an instance id of <see cref="InstanceIdOf"/> is of; 1 for any other.</summary>
    public static int AttemptOf(string instanceId)
    {
        ArgumentNullException.ThrowIfNull(instanceId);
        return instanceId.Split(':') is [_, _, var text] && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var attempt) && attempt > 1 ? attempt : 1;
    }

    /// <summary>How far an experiment is.</summary>
    /// <param name="state">Where the engine has its orchestration.</param>
    /// <param name="status">What the orchestration published last; null before the first time.</param>
    /// <param name="failure">Why it failed; null otherwise.</param>
    /// <param name="stopRequested">Whether its stop flag is set.</param>
    public static HostedExperiment Of(EngineState state, ExperimentStatus? status, string? failure, bool stopRequested) => state switch
    {
        _ when status?.Outcome is { } outcome => new HostedExperiment(HostedExperiment.StateOf(outcome.State), status, []),
        EngineState.Pending => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Queued, status, []),
        EngineState.Running => new HostedExperiment(stopRequested ? HostedState.Stopping : HostedState.Running, status, []),
        EngineState.Terminated => new HostedExperiment(HostedState.Interrupted, status, ["Its orchestration was ended by hand."]),
        _ => new HostedExperiment(HostedState.Failed, status, [LegOutput.Shorten(failure) ?? "Its orchestration failed."]),
    };
}
