namespace ScaleOut.Analysis.Limits;

/// <summary>The result of a search for the highest rate that a spec holds. Its JSON names are a contract.</summary>
public sealed record LimitReport
{
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    public required ExperimentState State { get; init; }

    /// <summary>Whether any of the numbers come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Start of the first run; if none was started, of the orchestration.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    public required ExperimentSpec Spec { get; init; }

    /// <inheritdoc cref="RunReport.StartedBy"/>
    public string? StartedBy { get; init; }

    /// <inheritdoc cref="ExperimentReport.Machines"/>
    public IReadOnlyList<MachineKind> Machines { get; init; } = [];

    /// <summary>The condition that a run's report must meet for its rate to hold.</summary>
    public required string Condition { get; init; }

    public required LimitSummary Limit { get; init; }

    public required int Workers { get; init; }

    /// <summary>Largest number of operations in flight over all workers that the spec permits.</summary>
    public required int MaxInFlight { get; init; }

    /// <summary>Operations in flight on average at the highest rate that is shown to hold; null when none is.</summary>
    public double? InFlight { get; init; }

    /// <summary>The fitted curves near the limit; null if nothing could be fitted.</summary>
    public LimitCurve? Curve { get; init; }

    /// <summary>What was measured, by ascending rate.</summary>
    public IReadOnlyList<LimitStep> Steps { get; init; } = [];

    /// <summary>What a reader must know before trusting the numbers, the most important first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>Whether a rate lies below, within or above the interval of the limit.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<LimitVerdict>))]
public enum LimitVerdict
{
    /// <summary>Not above the lower end of the interval.</summary>
    Holds,

    /// <summary>Within the interval, so it is not shown to hold or to fail.</summary>
    Open,

    /// <summary>Not below the upper end of the interval, or below the rates that hold and failed for a reason of low rates.</summary>
    Fails,
}

/// <summary>All measurements at one rate.</summary>
public sealed record LimitStep
{
    /// <summary>Rate that was asked for, documents per second over all workers.</summary>
    public required double Rate { get; init; }

    public required LimitVerdict Verdict { get; init; }

    /// <summary>Number of runs in which the rate held.</summary>
    public required int Held { get; init; }

    /// <summary>Number of runs in which the rate did not hold.</summary>
    public required int Failed { get; init; }

    /// <summary>Mean of the rates that were achieved; null when no run has one.</summary>
    public double? AchievedPerSecond { get; init; }

    /// <summary>In the order in which they were run.</summary>
    public IReadOnlyList<LimitRunDigest> Runs { get; init; } = [];
}

/// <summary>What the report keeps of one run; the run's own report has the rest.</summary>
public sealed record LimitRunDigest
{
    public required string RunId { get; init; }

    /// <summary>Whether the rate held; null when the run is inconclusive.</summary>
    public bool? Held { get; init; }

    /// <summary>Which conditions the run did not meet, or why it is inconclusive; null when it held.</summary>
    public string? Reason { get; init; }

    /// <summary>The kind of the conditions that the run did not meet; null when it held, and when it is inconclusive.</summary>
    public LimitCause? NotMet { get; init; }

    public double? AchievedPerSecond { get; init; }

    /// <summary>Latencies of operations after the warm-up, from their intended start.</summary>
    public LatencySummary? LatencyMs { get; init; }

    /// <summary>Attempts after the warm-up that got a 429 / attempts.</summary>
    public double? ThrottledShare { get; init; }

    /// <summary>Attempts that ended in anything but success, 409 or 429.</summary>
    public long? Errors { get; init; }

    public double? RequestUnitsPerSecond { get; init; }

    /// <summary>Provisioned RU/s of the container; null if they are not known.</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Operations in flight on average, by Little's law: operations per second x mean latency.</summary>
    public double? InFlight { get; init; }

    public BoundBy? BoundBy { get; init; }

    public Utilization? Utilization { get; init; }
}
