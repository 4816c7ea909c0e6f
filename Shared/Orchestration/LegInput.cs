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
    /// When the orchestration asked for the leg, UTC by its own clock, against which the worker's is checked; null if it is not known.
    /// </summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>What the worker's earlier legs came to, for its progress.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>Attempts at this leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost, for the worker's progress; null when there is none.</summary>
    public string? LastLost { get; init; }
}

/// <summary>When all workers of a run start.</summary>
/// <param name="At">The instant, UTC.</param>
/// <param name="Ready">How many workers were ready when it was set; fewer than the run's workers when <c>startTimeout</c> had
/// passed.</param>
public sealed record StartInstant(DateTimeOffset At, int Ready);

/// <summary>The container, or table, that a worker writes to.</summary>
/// <param name="Database">Database id; empty for a table.</param>
/// <param name="Name">Container id, or the table's name.</param>
/// <param name="PartitionKeyPath">Such as <c>/PartitionKey</c>: where documents have the value of their key.</param>
public sealed record ContainerTarget(string Database, string Name, string PartitionKeyPath)
{
    /// <summary>Whether it is a table of Table storage.</summary>
    [JsonIgnore]
    public bool IsTable => Database.Length == 0;

    /// <summary>For people, such as <c>container scaleout/run-first</c> or <c>table runfirst</c>.</summary>
    [JsonIgnore]
    public string Text => IsTable ? $"table {Name}" : $"container {Database}/{Name}";
}

/// <summary>
/// What one worker wrote before the start, for a workload that needs documents: kept in the run store, so that it is written once.
/// </summary>
/// <param name="Documents">How many it wrote or found there.</param>
/// <param name="RequestUnits">What that was charged, as far as the attempt that finished it knows.</param>
public sealed record PreloadShare(long Documents, double RequestUnits);
