namespace ScaleOut.Http;

/// <summary>The body of the answer to a stop.</summary>
internal sealed record StoppingRun(string Id, string StatusUri, string ReportUri, string StopUri);
