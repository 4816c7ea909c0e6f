namespace ScaleOut.Orchestration;

/// <summary>That a run has ended, and how: its report is written in every form, and its own container is deleted, or left to the timer that deletes such containers.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="At">When its last worker ended, UTC.</param>
public sealed record RunEnded(RunOutcome Outcome, DateTimeOffset At);
