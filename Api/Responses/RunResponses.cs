using System.Text.Json.Serialization;
using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Api.Responses;

/// <summary>The response to the start of a job, and to its resumption.</summary>
/// <param name="Id">Its id.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
/// <param name="Estimate">Least time, RU and cost. For a search for a limit, those of its first run.</param>
internal sealed record StartedJob(string Id, string StatusUri, string ReportUri, string StopUri, StartEstimate Estimate)
{
    /// <summary>Runs that an experiment consists of; 1 for a search for a limit.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Runs { get; init; }
}

/// <summary>The response to a request to stop a run or an experiment.</summary>
internal sealed record Stopping(string Id, string StatusUri, string ReportUri, string StopUri);

/// <summary>A page of the list of runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> of the next page; null when this is the last.</param>
/// <param name="NextUri">The next page; null when this is the last.</param>
internal sealed record RunList(IReadOnlyList<RunListItem> Runs, string? Continuation, string? NextUri);

/// <summary>One run of a list.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The spec's free text; null when it has none.</param>
/// <param name="StartedAt">When it was asked for.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
internal sealed record RunListItem(
    string Id, string? Name, DateTimeOffset StartedAt, HostedState State, string StatusUri, string ReportUri, string StopUri)
{
    /// <summary>Id of the experiment that it belongs to; null for a run of its own.</summary>
    public string? Experiment { get; init; }

    /// <summary>Documents per second: over the last seconds, or, after the end, over the whole run; null when there is no rate.</summary>
    public double? PerSecond { get; init; }

    /// <summary>99th percentile of the latency over the same time, ms; null when nothing is known of it.</summary>
    public double? P99Ms { get; init; }

    /// <summary>What bound the run in a few words; null before the end, and when nothing ran.</summary>
    public string? BoundBy { get; init; }
}

/// <summary>How far a run is.</summary>
internal sealed record RunStatusResponse : RunStatus
{
    [SetsRequiredMembers]
    public RunStatusResponse(RunStatus run, string id, string? name, bool simulated, ResourceLinks links)
        : base(run)
    {
        (Id, Name, Simulated) = (id, name, simulated);
        (StatusUri, ReportUri, StopUri) = links;
    }

    public string Id { get; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; }

    /// <summary>Whether the numbers come from the simulated account.</summary>
    public bool Simulated { get; }

    /// <summary>The condition under which it fails; null when its start gave none.</summary>
    public FailIfState? FailIf { get; init; }

    public string StatusUri { get; }

    public string ReportUri { get; }

    public string StopUri { get; }
}

/// <summary>A condition under which a run or an experiment fails although it is complete.</summary>
/// <param name="Holds">Null before there is a report, and where the run or experiment is not complete.</param>
internal sealed record FailIfState(string Condition, bool? Holds);
