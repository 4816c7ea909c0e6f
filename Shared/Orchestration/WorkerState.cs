using ScaleOut.Progress;

namespace ScaleOut.Orchestration;

/// <summary>How far a worker's orchestration is; it continues as new with this every <see cref="WorkerOrchestrator.LegsPerTurn"/> legs.</summary>
public sealed record WorkerState
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>The leg to run next, from 1.</summary>
    public int Leg { get; init; } = 1;

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>Documents done so far, and how.</summary>
    public DocumentCounts Documents { get; init; } = new();

    /// <summary>What the ended legs came to, for the progress of the next.</summary>
    public WorkerTotals Before { get; init; } = new();

    /// <summary>Attempts at the current leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost; null when there is none.</summary>
    public string? LastLost { get; init; }

    /// <summary>Legs that ended one after the other without finishing a document.</summary>
    public int IdleInARow { get; init; }
}
