using System.Text.Json.Serialization;

namespace ScaleOut.Api.Responses;

/// <summary>A page of the list of experiments.</summary>
/// <param name="Experiments">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> of the next page; null when this is the last.</param>
/// <param name="NextUri">The next page; null when this is the last.</param>
internal sealed record ExperimentList(IReadOnlyList<ExperimentListItem> Experiments, string? Continuation, string? NextUri);

/// <summary>One experiment of a list.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The spec's free text; null when it has none.</param>
/// <param name="StartedAt">When it was asked for.</param>
/// <param name="Runs">Runs that it consists of; of a search for a limit, those so far; null when nothing is known of it.</param>
/// <param name="Ended">Runs that have ended in any way.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
internal sealed record ExperimentListItem(
    string Id, string? Name, DateTimeOffset StartedAt, HostedState State, int? Runs, int? Ended, string StatusUri, string ReportUri,
    string StopUri)
{
    /// <summary>Set when it has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }
}

/// <summary>How far an experiment is.</summary>
internal sealed record ExperimentStatusResponse
{
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public required string? Name { get; init; }

    public required HostedState State { get; init; }

    /// <summary>Null before it began.</summary>
    public ExperimentPhase? Phase { get; init; }

    /// <summary>Runs that it consists of.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that have ended in any way.</summary>
    public int Ended { get; init; }

    /// <summary>Of those not complete.</summary>
    public int NotComplete { get; init; }

    /// <summary>The current run; null between runs.</summary>
    public string? RunId { get; init; }

    /// <summary>Status of the current run.</summary>
    public string? RunStatusUri { get; init; }

    /// <summary>Name of the current variant.</summary>
    public string? Variant { get; init; }

    /// <summary>The current repeat, from 1.</summary>
    public int? Repeat { get; init; }

    /// <summary>The rates between which a search has found the limit so far.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitBracket? Bracket { get; init; }

    /// <summary>Set when it has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }

    /// <summary>The condition under which it fails; null when its start gave none.</summary>
    public FailIfState? FailIf { get; init; }

    /// <summary>Why it could not start or go on.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    public required string StatusUri { get; init; }

    public required string ReportUri { get; init; }

    public required string StopUri { get; init; }
}
