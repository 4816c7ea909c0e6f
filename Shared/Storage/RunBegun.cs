namespace ScaleOut.Storage;

/// <summary>That a program began to orchestrate a run, or to resume it.</summary>
/// <param name="At">When, UTC by the clock that the orchestration goes by.</param>
public sealed record RunBegun(DateTimeOffset At);
