namespace ScaleOut.Experiments;

/// <summary>How an experiment ended, in a few figures. The report has the rest.</summary>
public sealed record ExperimentOutcome
{
    public required string ExperimentId { get; init; }

    public required ExperimentState State { get; init; }

    /// <summary>Runs that the spec asks for.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that are complete.</summary>
    public required int Complete { get; init; }

    /// <summary>Runs that ended in any other way.</summary>
    public required int NotComplete { get; init; }

    /// <summary>Runs that cannot be measured where the experiment ran.</summary>
    public required int NotTestable { get; init; }

    /// <summary>
    /// Whether the experiment ran against the simulated account. Then its verdicts are about this client and the simulated behaviour.
    /// </summary>
    public bool Simulated { get; init; }

    /// <summary>Number of findings by verdict, such as <c>supported</c>.</summary>
    public IReadOnlyDictionary<string, int> Verdicts { get; init; } = new Dictionary<string, int>();

    /// <summary>Which figures are not valid, such as <c>rates of 1 of 2 variants</c>; empty if all are.</summary>
    public IReadOnlyList<string> Invalid { get; init; } = [];

    /// <summary>
    /// Whether the fail-if condition holds that was given at the start. If so, the experiment fails although it is complete. Null without
    /// a condition.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? FailIfHolds { get; init; }

    /// <summary>What a search for a limit found; null for other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitSummary? Limit { get; init; }
}

/// <summary>
/// What the orchestration knows when all runs have ended. The experiment's report is made from this and the runs' reports in the run store.
/// </summary>
public sealed record ExperimentEnding
{
    /// <summary>The experiment's spec, with its id.</summary>
    public required ExperimentSpec Spec { get; init; }

    /// <summary>Start time on the engine's clock. For a resumed experiment, the time when it was resumed.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Runs in the planner's order. A stopped experiment has only the runs that it reached.</summary>
    public IReadOnlyList<MeasuredRun> Runs { get; init; } = [];

    /// <summary>Whether it was stopped before its last run.</summary>
    public bool Stopped { get; init; }
}

[JsonConverter(typeof(CamelCaseEnumConverter<ExperimentState>))]
public enum ExperimentState
{
    /// <summary>Every run that could be measured here is complete.</summary>
    Complete,

    /// <summary>The experiment reached its end, but some runs failed or are incomplete.</summary>
    Incomplete,

    /// <summary>The experiment was stopped before its end, and can be resumed.</summary>
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
