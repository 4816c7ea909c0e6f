namespace ScaleOut.Storage;

/// <summary>An attempt at a run or an experiment on a durable engine, with an orchestration of its own.</summary>
/// <param name="Number">1 for the start, and one more for each resume.</param>
/// <param name="At">When the attempt was claimed, UTC.</param>
public sealed record JobAttempt(int Number, DateTimeOffset At)
{
    /// <summary>
    /// Maximum time from the claim to the orchestration. An attempt without one by then never gets it, because its claimer is gone.
    /// </summary>
    private static readonly TimeSpan MaxTimeToBegin = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get one.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < MaxTimeToBegin;
}
