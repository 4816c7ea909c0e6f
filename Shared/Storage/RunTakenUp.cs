namespace ScaleOut.Storage;

/// <summary>That a run of an experiment is measured anew, because it came to no measurement before.</summary>
/// <param name="Attempt">The experiment's attempt that does so, from 2.</param>
/// <param name="InstanceId">Id of the orchestration that runs it: that of the first attempt is the run's own, and no engine gives an id a second life for sure.</param>
/// <param name="At">When, UTC.</param>
public sealed record RunTakenUp(int Attempt, string InstanceId, DateTimeOffset At);
