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
