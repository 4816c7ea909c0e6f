namespace ScaleOut.Http;

/// <summary>The body of the answer to the start of a run.</summary>
/// <param name="Id">Its id.</param>
/// <param name="StatusUri">How far it is.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
/// <param name="Estimate">What it will take at least.</param>
internal sealed record StartedRun(string Id, string StatusUri, string ReportUri, string StopUri, StartEstimate Estimate);
