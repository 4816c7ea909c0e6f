using ScaleOut.Progress;

namespace ScaleOut.Orchestration;

/// <summary>All that one leg needs to know. Everything in it is the worker's own: with 1,000 workers each input stays small.</summary>
public sealed record LegInput
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>From 1.</summary>
    public required int Leg { get; init; }

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>The attempt at the leg, from 1, that whoever dispatches it has claimed; null when the leg is to claim one itself.</summary>
    public int? Attempt { get; init; }

    /// <summary>
    /// When the orchestration asked for the leg, UTC by its own clock, against which the worker's is checked; null where it is not known.
    /// </summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>What the worker's earlier legs came to, for its progress.</summary>
    public WorkerTotals Before { get; init; } = new();

    /// <summary>Attempts at this leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost, for the worker's progress; null when there is none.</summary>
    public string? LastLost { get; init; }
}
