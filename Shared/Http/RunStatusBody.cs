using System.Diagnostics.CodeAnalysis;

namespace ScaleOut.Http;

/// <summary>The body of the answer that says how far a run is.</summary>
internal sealed record RunStatusBody : HostedRun
{
    [SetsRequiredMembers]
    public RunStatusBody(HostedRun run, string id, string? name, bool simulated, ResourceLinks links)
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

    public string StatusUri { get; }

    public string ReportUri { get; }

    public string StopUri { get; }
}
