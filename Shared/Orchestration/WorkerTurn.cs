namespace ScaleOut.Orchestration;

/// <summary>The end of one turn of a worker's orchestration: its outcome, or the state to continue as new with. Exactly one of them is set.</summary>
public sealed record WorkerTurn(WorkerOutcome? Outcome, WorkerState? Continue);
