namespace ScaleOut.Api.Responses;

internal sealed record ExperimentStatusResponse
{
    public required string Id { get; init; }

    /// <summary>The name in the spec; null if it has none.</summary>
    public required string? Name { get; init; }

    public required HostedState State { get; init; }

    /// <summary>Null before the experiment began.</summary>
    public ExperimentPhase? Phase { get; init; }

    /// <summary>Number of runs. In a search for a limit, the runs so far.</summary>
    public required int Runs { get; init; }

    /// <summary>Number of runs that have ended in any way.</summary>
    public int Ended { get; init; }

    /// <summary>Number of ended runs that are not complete.</summary>
    public int NotComplete { get; init; }

    /// <summary>The last of them, and why, such as <c>direct, repeat 2 (failed): ...</c>.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? LastNotComplete { get; init; }

    /// <summary>Id of the current run; null between runs.</summary>
    public string? RunId { get; init; }

    /// <summary>Address of the current run's status; null between runs.</summary>
    public string? RunStatusUri { get; init; }

    /// <summary>Name of the current variant.</summary>
    public string? Variant { get; init; }

    /// <summary>The current repeat, from 1.</summary>
    public int? Repeat { get; init; }

    /// <summary>The rates between which a search has found the limit so far.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitBracket? Bracket { get; init; }

    /// <summary>Null until the experiment has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }

    /// <summary>The fail-if condition; null if the start gave none.</summary>
    public FailIfState? FailIf { get; init; }

    /// <summary>Reasons why the experiment could not start or go on.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    public required string StatusUri { get; init; }

    public required string ReportUri { get; init; }

    public required string StopUri { get; init; }
}
