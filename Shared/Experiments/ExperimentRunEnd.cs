using ScaleOut.Orchestration;

namespace ScaleOut.Experiments;

/// <summary>What became of one run of an experiment; what it measured is in its report.</summary>
public sealed record ExperimentRunEnd
{
    /// <summary>Longest <see cref="Reason"/>, in characters: a thousand of these must fit one payload.</summary>
    public const int MaxReasonLength = 300;

    /// <summary>Index of the variant, from 0.</summary>
    public required int Variant { get; init; }

    /// <summary>From 1.</summary>
    public required int Repeat { get; init; }

    public required string RunId { get; init; }

    /// <summary>How it ended; null when it was not run.</summary>
    public RunState? State { get; init; }

    /// <summary>Whether its id belongs to another run, whose report is none of this experiment's.</summary>
    public bool IdInUse { get; init; }

    /// <summary>Why it was not run, or is not complete; null otherwise.</summary>
    public string? Reason { get; init; }
}
