namespace ScaleOut.Api.Hosts;

/// <summary>What a host knows of an experiment.</summary>
/// <param name="Status">How far; null when the host does not know, so that the run store is asked.</param>
/// <param name="Reasons">Why it could not start or go on.</param>
public sealed record HostedExperiment(HostedState State, ExperimentStatus? Status, IReadOnlyList<string> Reasons) : IJobStatus
{
    public bool? FailIfHolds => Status?.Outcome?.FailIfHolds;

    /// <summary>What the run store says of an experiment that no host knows.</summary>
    internal static HostedExperiment Stored(ExperimentStatus? status) => new(
        status switch
        {
            { Outcome: { } outcome } => StateOf(outcome.State),
            { Reason: not null } => HostedState.Failed,
            _ => HostedState.Interrupted,
        },
        status,
        status?.Reason is { } reason ? [reason] : []);

    /// <summary>The state of an experiment that has ended.</summary>
    public static HostedState StateOf(ExperimentState state) => state switch
    {
        ExperimentState.Complete => HostedState.Complete,
        ExperimentState.Incomplete => HostedState.Incomplete,
        _ => HostedState.Stopped,
    };
}
