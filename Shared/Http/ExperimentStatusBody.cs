using ScaleOut.Experiments;

namespace ScaleOut.Http;

/// <summary>The body of the answer that says how far an experiment is.</summary>
internal sealed record ExperimentStatusBody
{
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public required string? Name { get; init; }

    public required HostedState State { get; init; }

    /// <summary>Null before it began.</summary>
    public ExperimentPhase? Phase { get; init; }

    /// <summary>Runs that it consists of.</summary>
    public required int Runs { get; init; }

    /// <summary>Of these ended, in whichever way.</summary>
    public int Ended { get; init; }

    /// <summary>Of those not complete.</summary>
    public int NotComplete { get; init; }

    /// <summary>The run that is on; null between runs.</summary>
    public string? RunId { get; init; }

    /// <summary>Status of the run that is on.</summary>
    public string? RunStatusUri { get; init; }

    /// <summary>Name of the variant that is on.</summary>
    public string? Variant { get; init; }

    /// <summary>Repeat that is on, from 1.</summary>
    public int? Repeat { get; init; }

    /// <summary>Set when it has ended with a report.</summary>
    public ExperimentOutcome? Outcome { get; init; }

    /// <summary>Why it could not start or go on.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    public required string StatusUri { get; init; }

    public required string ReportUri { get; init; }

    public required string StopUri { get; init; }
}
