namespace ScaleOut.Orchestration;

/// <summary>How far a run is, as its orchestration knows it; what happens within a leg is told by the workers' progress instead.</summary>
/// <param name="Phase">Where it is.</param>
/// <param name="Outcome">Set when it has ended.</param>
/// <param name="RunsAhead">Runs that are to end before it begins, as far as it is known; set while it is queued.</param>
public sealed record RunStatus(RunPhase Phase, RunOutcome? Outcome = null, int? RunsAhead = null);
