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
