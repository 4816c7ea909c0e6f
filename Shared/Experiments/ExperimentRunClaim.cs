using ScaleOut.Orchestration;

namespace ScaleOut.Experiments;

/// <summary>What the claim of an experiment's run came to.</summary>
/// <param name="Measured">The outcome of a run that was measured before; null when it is to be run.</param>
/// <param name="IsInUse">Whether the id belongs to something else, so that it cannot be run.</param>
/// <param name="InstanceId">Id of the orchestration that is to run it; null for the run's own id.</param>
public sealed record ExperimentRunClaim(RunOutcome? Measured, bool IsInUse, string? InstanceId = null);
