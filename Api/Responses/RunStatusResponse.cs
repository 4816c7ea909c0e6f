using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Api.Responses;

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

    /// <summary>
    /// Id of the run's operation in Application Insights, and of its trace of OpenTelemetry. There are records of it only where telemetry
    /// is configured.
    /// </summary>
    public string TraceId => RunOperation.IdOf(Id);

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
/// <param name="Holds">
/// Null before there is a report, if the run or experiment is not complete, and if the condition rests on figures that are not valid.
/// </param>
internal sealed record FailIfState(string Condition, bool? Holds);
