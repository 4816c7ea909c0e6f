namespace ScaleOut.Http;

/// <summary>The body of the answer to the start of an experiment, and to taking it up again.</summary>
/// <param name="Id">Its id.</param>
/// <param name="StatusUri">How far it is.</param>
/// <param name="ReportUri">Its report, once it has ended.</param>
/// <param name="StopUri">Takes the request to stop it.</param>
/// <param name="Runs">Runs that it consists of.</param>
/// <param name="Estimate">Of those that are to be measured together, one after the other.</param>
internal sealed record StartedExperiment(string Id, string StatusUri, string ReportUri, string StopUri, int Runs, StartEstimate Estimate);
