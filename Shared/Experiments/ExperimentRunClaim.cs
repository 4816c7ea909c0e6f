using ScaleOut.Orchestration;

namespace ScaleOut.Experiments;

/// <summary>What the claim of an experiment's run came to.</summary>
/// <param name="Measured">The outcome of a run that was measured before; null when it is to be run.</param>
/// <param name="IsInUse">Whether the id belongs to something else, so that it cannot be run.</param>
public sealed record ExperimentRunClaim(RunOutcome? Measured, bool IsInUse);
