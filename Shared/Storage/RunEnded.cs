using ScaleOut.Orchestration;

namespace ScaleOut.Storage;

/// <summary>That a run has come to its report, and how. Deleting its container may still be under way.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="At">When its last worker ended, UTC.</param>
public sealed record RunEnded(RunOutcome Outcome, DateTimeOffset At);
