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

/// <summary>Where an experiment is on its way.</summary>
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
    /// Time from the claim to the orchestration. An attempt that has none by then never will: whoever claimed it is gone.
    /// </summary>
    private static readonly TimeSpan TransientRetry = TimeSpan.FromMinutes(2);

    /// <summary>Whether an attempt without an orchestration may still get it.</summary>
    public bool MayBegin(DateTimeOffset now) => now - At < TransientRetry;
}

/// <summary>One run of an experiment.</summary>
public sealed record ExperimentRun
{
    /// <summary>Index of the variant, from 0.</summary>
    public required int Variant { get; init; }

    public required string VariantName { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    /// <summary>What is run, with its id.</summary>
    public required RunSpec Spec { get; init; }
}
