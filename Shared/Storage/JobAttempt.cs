namespace ScaleOut.Storage;

/// <summary>An attempt at a run or an experiment on a durable engine, with an orchestration of its own.</summary>
/// <param name="Number">1 for the start; one more each time that it is resumed.</param>
/// <param name="At">When it was claimed, UTC.</param>
public sealed record JobAttempt(int Number, DateTimeOffset At)
{
    /// <summary>
    /// Longest time from the claim to the orchestration. An attempt without an orchestration after this time has lost its program.
    /// </summary>
    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get it.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < TransientRetry;
}
