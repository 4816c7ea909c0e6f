namespace ScaleOut.Http;

/// <summary>One run of a list.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The spec's free text; null when it has none.</param>
/// <param name="StartedAt">When it was asked for.</param>
/// <param name="State">Where it is.</param>
/// <param name="StatusUri">Its status.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
internal sealed record RunListItem(string Id, string? Name, DateTimeOffset StartedAt, HostedState State, string StatusUri, string ReportUri, string StopUri);
