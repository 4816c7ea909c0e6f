namespace ScaleOut.Experiments;

/// <summary>An attempt at an experiment on a durable engine, with an orchestration of its own.</summary>
/// <param name="Number">1 for the start; one more each time that it is taken up again.</param>
/// <param name="At">When it was claimed, UTC.</param>
public sealed record ExperimentAttempt(int Number, DateTimeOffset At)
{
    /// <summary>Time from the claim to the orchestration. An attempt that has none by then never will: whoever claimed it is gone.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get it.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < Patience;
}
