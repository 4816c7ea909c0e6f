namespace ScaleOut.Orchestration;

/// <summary>When all workers of a run start.</summary>
/// <param name="At">The instant, UTC.</param>
/// <param name="Ready">How many workers were ready when it was set; fewer than the run's workers when <c>startTimeout</c> had passed.</param>
public sealed record StartInstant(DateTimeOffset At, int Ready);
