namespace ScaleOut.Api.Responses;

/// <param name="Experiments">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> for the next page; null on the last page.</param>
/// <param name="NextUri">Address of the next page; null on the last page.</param>
internal sealed record ExperimentList(IReadOnlyList<ExperimentListItem> Experiments, string? Continuation, string? NextUri);

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
    /// <summary>Number of ended runs that are not complete.</summary>
    public int NotComplete { get; init; }

    /// <summary>Null until the experiment has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }
}
