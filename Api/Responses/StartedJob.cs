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

    /// <summary>Settings of the spec that the service cannot fulfil, and probable mistakes. Left out if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Warnings { get; init; }
}

/// <summary>The response to a request to stop a run or an experiment.</summary>
internal sealed record Stopping(string Id, string StatusUri, string ReportUri, string StopUri);
