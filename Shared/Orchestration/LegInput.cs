namespace ScaleOut.Orchestration;

/// <summary>The input of one leg. Everything in it is the worker's own, so that each input stays small with 1,000 workers.</summary>
public sealed record LegInput
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>From 1.</summary>
    public required int Leg { get; init; }

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>
    /// The attempt at the leg, from 1, that the dispatcher has claimed after it found no result of the leg. Null if the leg is to look for
    /// a result and claim an attempt itself.
    /// </summary>
    public int? Attempt { get; init; }

    /// <summary>When the orchestration asked for the leg, UTC by its own clock. The worker's clock is checked against it.</summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>The totals of the worker's earlier legs, for its progress.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>Attempts at this leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost, for the worker's progress.</summary>
    public string? LastLost { get; init; }
}

/// <summary>When all workers of a run start.</summary>
/// <param name="At">UTC.</param>
/// <param name="Ready">How many workers were ready when it was set: all of them, unless <c>startTimeout</c> had passed.</param>
public sealed record StartInstant(DateTimeOffset At, int Ready);

/// <summary>The container, or table, that a worker writes to.</summary>
/// <param name="Database">Database id; empty for a table.</param>
/// <param name="Name">Container id, or the table's name.</param>
/// <param name="PartitionKeyPath">Such as <c>/PartitionKey</c>.</param>
public sealed record ContainerTarget(string Database, string Name, string PartitionKeyPath)
{
    /// <summary>Whether it is a table of Table storage.</summary>
    [JsonIgnore]
    public bool IsTable => Database.Length == 0;

    /// <summary>For people, such as <c>container scaleout/run-first</c> or <c>table runfirst</c>.</summary>
    [JsonIgnore]
    public string Text => IsTable ? $"table {Name}" : $"container {Database}/{Name}";
}

/// <summary>What one worker wrote before the start, for a workload that needs documents. It is kept, so that it is written once.</summary>
/// <param name="Documents">How many it wrote or found there.</param>
/// <param name="RequestUnits">Charged to the attempt that finished it.</param>
public sealed record PreloadShare(long Documents, double RequestUnits);
