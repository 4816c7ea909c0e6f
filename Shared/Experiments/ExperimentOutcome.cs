namespace ScaleOut.Experiments;

/// <summary>An experiment's end in a few words and numbers; the report has the rest.</summary>
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

    /// <summary>Whether it ran against the simulated account, so that its verdicts are about this client under those physics.</summary>
    public bool Simulated { get; init; }

    /// <summary>Findings by verdict, such as <c>supported</c>.</summary>
    public IReadOnlyDictionary<string, int> Verdicts { get; init; } = new Dictionary<string, int>();

    /// <summary>Whether the condition given at its start holds, under which it fails although it is complete; null without one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? FailIfHolds { get; init; }

    /// <summary>What a search for a limit found; null for other experiments.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitSummary? Limit { get; init; }
}

/// <summary>
/// What the orchestration knows when all runs have ended; with the runs' reports in the run store it makes the experiment's report.
/// </summary>
public sealed record ExperimentEnding
{
    /// <summary>The experiment's spec, with its id.</summary>
    public required ExperimentSpec Spec { get; init; }

    /// <summary>On the engine's clock; of a resumed experiment, when it was resumed.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>In the order of the planner. A stopped experiment has only the runs that it got to.</summary>
    public IReadOnlyList<MeasuredRun> Runs { get; init; } = [];

    /// <summary>Whether it was stopped before its last run.</summary>
    public bool Stopped { get; init; }
}
