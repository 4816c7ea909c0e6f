namespace ScaleOut.Experiments;

/// <summary>How far an experiment is; under 2 KB as JSON.</summary>
public sealed record ExperimentStatus
{
    public required ExperimentPhase Phase { get; init; }

    /// <summary>Runs that the spec asks for.</summary>
    public required int Runs { get; init; }

    /// <summary>Runs that have ended, in whichever way; those that cannot be measured here are among them.</summary>
    public required int Ended { get; init; }

    /// <summary>Of those, runs that are not complete.</summary>
    public required int NotComplete { get; init; }

    /// <summary>Id of the run that is on, whose own status tells more; null between runs.</summary>
    public string? RunId { get; init; }

    /// <summary>Name of the variant that is on.</summary>
    public string? Variant { get; init; }

    /// <summary>Repeat that is on, from 1.</summary>
    public int? Repeat { get; init; }

    /// <summary>Set when it has ended.</summary>
    public ExperimentOutcome? Outcome { get; init; }
}
