using ScaleOut.Experiments;

namespace ScaleOut.Http;

/// <summary>What a host knows of an experiment.</summary>
/// <param name="State">Where it is.</param>
/// <param name="Status">How far; null when the host cannot tell, so that the run store is asked.</param>
/// <param name="Reasons">Why it could not start or go on.</param>
public sealed record HostedExperiment(HostedState State, ExperimentStatus? Status, IReadOnlyList<string> Reasons)
{
    /// <summary>Whether it has come to an end.</summary>
    internal bool Ended => State is not (HostedState.Queued or HostedState.Running or HostedState.Stopping);

    /// <summary>The state of an experiment that has ended.</summary>
    public static HostedState StateOf(ExperimentState state) => state switch
    {
        ExperimentState.Complete => HostedState.Complete,
        ExperimentState.Incomplete => HostedState.Incomplete,
        _ => HostedState.Stopped,
    };
}
