using ScaleOut.Specs;

namespace ScaleOut.Http;

/// <summary>The body of the answer to a start.</summary>
internal sealed record StartedRun
{
    public required string Id { get; init; }

    public required string StatusUri { get; init; }

    public required string ReportUri { get; init; }

    public required string StopUri { get; init; }

    public required RunEstimate Estimate { get; init; }
}
