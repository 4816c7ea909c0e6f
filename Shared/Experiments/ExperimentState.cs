namespace ScaleOut.Experiments;

/// <summary>How an experiment ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ExperimentState>))]
public enum ExperimentState
{
    /// <summary>Every run that could be measured here is complete.</summary>
    Complete,

    /// <summary>It came to its end, but some runs failed or are incomplete.</summary>
    Incomplete,

    /// <summary>It was stopped before its end, and can be resumed.</summary>
    Stopped,
}

/// <summary>The present step of an experiment.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ExperimentPhase>))]
public enum ExperimentPhase
{
    Running,
    Reporting,
    Ended,
}

/// <summary>An attempt at a run or an experiment on a durable engine, with an orchestration of its own.</summary>
/// <param name="Number">1 for the start; one more each time that it is resumed.</param>
/// <param name="At">When it was claimed, UTC.</param>
public sealed record ExperimentAttempt(int Number, DateTimeOffset At)
{
    /// <summary>
    /// Longest time from the claim to the orchestration. An attempt without an orchestration after this time has lost its program.
    /// </summary>
    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get it.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < TransientRetry;
}
