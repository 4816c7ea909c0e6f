using System.Text.Json.Serialization;

namespace ScaleOut.Api.Responses;

/// <summary>A page of the list of experiments.</summary>
/// <param name="Experiments">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> for the next page; null on the last page.</param>
/// <param name="NextUri">Address of the next page; null on the last page.</param>
internal sealed record ExperimentList(IReadOnlyList<ExperimentListItem> Experiments, string? Continuation, string? NextUri);

/// <summary>One experiment of a list.</summary>
/// <param name="Name">The name in the spec; null if it has none.</param>
/// <param name="StartedAt">When the experiment was submitted.</param>
/// <param name="Runs">Number of runs. In a search for a limit, the runs so far. Null if unknown.</param>
/// <param name="Ended">Number of runs that have ended in any way; null if unknown.</param>
/// <param name="ReportUri">Address of the report, which exists once the experiment has ended.</param>
/// <param name="StopUri">Address for the POST request that stops the experiment.</param>
internal sealed record ExperimentListItem(
    string Id, string? Name, DateTimeOffset StartedAt, HostedState State, int? Runs, int? Ended, string StatusUri, string ReportUri,
    string StopUri)
{
    /// <summary>Null until the experiment has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }
}

/// <summary>The status of an experiment.</summary>
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
