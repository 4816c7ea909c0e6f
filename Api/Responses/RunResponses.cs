using System.Text.Json.Serialization;
using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Api.Responses;

/// <summary>The response to the start of a job, and to its resumption.</summary>
/// <param name="ReportUri">Address of the report, which exists once the job has ended.</param>
/// <param name="StopUri">Address for the POST request that stops the job.</param>
/// <param name="Estimate">Minimum time, RU and cost. For a search for a limit, those of its first run.</param>
internal sealed record StartedJob(string Id, string StatusUri, string ReportUri, string StopUri, StartEstimate Estimate)
{
    /// <summary>Number of runs of an experiment; 1 for a search for a limit. Left out for a run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Runs { get; init; }

    /// <summary>Says that this request started a job whose earlier start failed. Left out otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Note { get; init; }

    /// <summary>What the spec asks for that the service cannot give, or that is probably not meant. Left out if there is nothing.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Warnings { get; init; }
}

/// <summary>The response to a request to stop a run or an experiment.</summary>
internal sealed record Stopping(string Id, string StatusUri, string ReportUri, string StopUri);

/// <summary>A page of the list of runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> for the next page; null on the last page.</param>
/// <param name="NextUri">Address of the next page; null on the last page.</param>
internal sealed record RunList(IReadOnlyList<RunListItem> Runs, string? Continuation, string? NextUri);

/// <summary>One run of a list.</summary>
/// <param name="Name">The name in the spec; null if it has none.</param>
/// <param name="StartedAt">When the run was submitted.</param>
/// <param name="ReportUri">Address of the report, which exists once the run has ended.</param>
/// <param name="StopUri">Address for the POST request that stops the run.</param>
internal sealed record RunListItem(
    string Id, string? Name, DateTimeOffset StartedAt, HostedState State, string StatusUri, string ReportUri, string StopUri)
{
    /// <summary>Id of the experiment that the run belongs to; null for a single run.</summary>
    public string? Experiment { get; init; }

    /// <summary>Documents per second over the last seconds, or over the whole run after its end; null without a rate.</summary>
    public double? PerSecond { get; init; }

    /// <summary>99th percentile of the latency over the same time, in ms; null if unknown.</summary>
    public double? P99Ms { get; init; }

    /// <summary>What limited the run, in a few words; null before the end, and if nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <inheritdoc cref="RunTotals.Invalid"/>
    public IReadOnlyList<string> Invalid { get; init; } = [];
}

/// <summary>The status of a run.</summary>
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

    /// <summary>The name in the spec; null if it has none.</summary>
    public string? Name { get; }

    /// <summary>Whether the figures come from the simulated account.</summary>
    public bool Simulated { get; }

    /// <summary>The fail-if condition; null if the start gave none.</summary>
    public FailIfState? FailIf { get; init; }

    public string StatusUri { get; }

    public string ReportUri { get; }

    public string StopUri { get; }
}

/// <summary>A condition under which a run or an experiment fails although it is complete.</summary>
/// <param name="Holds">Null before there is a report, and if the run or experiment is not complete.</param>
internal sealed record FailIfState(string Condition, bool? Holds);
