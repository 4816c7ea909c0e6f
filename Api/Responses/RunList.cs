namespace ScaleOut.Api.Responses;

/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> for the next page; null on the last page.</param>
/// <param name="NextUri">Address of the next page; null on the last page.</param>
internal sealed record RunList(IReadOnlyList<RunListItem> Runs, string? Continuation, string? NextUri);

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
