namespace ScaleOut.Orchestration;

/// <summary>
/// The input of one leg, and of the orchestration of a worker that runs it and the legs after it. It holds data of one worker only, so that
/// it stays small with 1,000 workers.
/// </summary>
public sealed record LegInput
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>From 1.</summary>
    public required int Leg { get; init; }

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>
    /// Ordinal of the attempt at the leg, from 1, if the dispatcher has found no result and claimed the attempt. If null, the leg itself
    /// looks for a result and claims an attempt.
    /// </summary>
    public int? Attempt { get; init; }

    /// <summary>When the orchestration scheduled the leg, UTC by its own clock. The worker's clock is checked against it.</summary>
    public DateTimeOffset? DispatchedAt { get; init; }

    /// <summary>The totals of the worker's earlier legs.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>Documents that the worker's legs finished since the run was started or last resumed.</summary>
    public long DoneNow { get; init; }

    /// <summary>Number of the latest legs in a row that finished no document.</summary>
    public int IdleInARow { get; init; }

    /// <summary>Number of lost attempts at this leg.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last lost attempt was lost, for the worker's progress.</summary>
    public string? LastLost { get; init; }
}

/// <summary>When all workers of a run start.</summary>
/// <param name="At">UTC.</param>
/// <param name="Ready">Number of workers that were ready when the instant was set: all, unless <c>startTimeout</c> had passed.</param>
public sealed record StartInstant(DateTimeOffset At, int Ready);

/// <summary>The container, or table, that a worker writes to.</summary>
/// <param name="Database">Database id; empty for a table.</param>
/// <param name="Name">Container id, or the table's name.</param>
/// <param name="PartitionKeyPath">Such as <c>/PartitionKey</c>; of a hierarchical key the first level.</param>
public sealed record ContainerTarget(string Database, string Name, string PartitionKeyPath)
{
    /// <summary>The levels of a hierarchical key below the first one; null if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? FurtherKeyPaths { get; init; }

    /// <summary>One path, or the two or three of a hierarchical key.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> KeyPaths => [PartitionKeyPath, .. FurtherKeyPaths ?? []];

    /// <param name="keyPaths">One path, or the two or three of a hierarchical key.</param>
    public static ContainerTarget Create(string database, string name, IReadOnlyList<string> keyPaths) =>
        new(database, name, keyPaths[0]) { FurtherKeyPaths = keyPaths.Count > 1 ? [.. keyPaths.Skip(1)] : null };

    /// <summary>Whether it is a table of Table storage.</summary>
    [JsonIgnore]
    public bool IsTable => Database.Length == 0;

    /// <summary>For people, such as <c>container scaleout/run-first</c> or <c>table runfirst</c>.</summary>
    [JsonIgnore]
    public string Text => IsTable ? $"table {Name}" : $"container {Database}/{Name}";
}

/// <summary>
/// The documents that one worker wrote before the start, for a workload that needs documents. It is stored, so that they are written once.
/// </summary>
/// <param name="Documents">Documents that the worker wrote or found there, also those of missing workers.</param>
/// <param name="RequestUnits">RU of the attempt that finished the share, and of the shares of missing workers.</param>
/// <param name="ThrottledWrites">429s, counted as <paramref name="RequestUnits"/> are.</param>
public sealed record PreloadShare(long Documents, RequestUnits RequestUnits, long ThrottledWrites = 0)
{
    public PreloadShare Plus(PreloadShare other) =>
        new(Documents + other.Documents, RequestUnits + other.RequestUnits, ThrottledWrites + other.ThrottledWrites);
}

/// <summary>A worker's slice and effective settings, the same for all its legs.</summary>
public sealed record WorkerAssignment
{
    public required string RunId { get; init; }

    /// <summary>Id of the run's orchestration; null if it is the run's id.</summary>
    public string? RunInstanceId { get; init; }

    /// <summary>From 0.</summary>
    public required int Worker { get; init; }

    /// <summary>Number of workers of the run, which start together.</summary>
    public required int Workers { get; init; }

    public required NumberRange Slice { get; init; }

    /// <summary>Number of documents of the run; 0 if only the slice is known.</summary>
    public long Documents { get; init; }

    /// <summary>Whether the worker preloads its share of documents before the start. False for a named container.</summary>
    public bool Preloads { get; init; }

    /// <summary>Number of documents that reads, queries, patches and deletes choose from.</summary>
    [JsonIgnore]
    public long Preload => Workload.PreloadOf(Math.Max(Documents, Slice.End));

    /// <summary>Number of the first document that actions write: those that were there before have the numbers below it.</summary>
    [JsonIgnore]
    public long FirstWritten => Workload.NeedsDocuments ? Preload : 0;

    /// <summary>The default if <see cref="SpecIsKept"/>.</summary>
    public required WorkloadSpec Workload { get; init; }

    /// <summary>The default if <see cref="SpecIsKept"/>.</summary>
    public required DocumentSpec Document { get; init; }

    /// <summary>
    /// Whether workload and documents are too large for the input of each leg. The leg reads them from the run's claimed spec.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool SpecIsKept { get; init; }

    public required ClientSettings Client { get; init; }

    public required ContainerTarget Container { get; init; }

    public required TimeSpan LegDuration { get; init; }

    public required TimeSpan StartTimeout { get; init; }

    /// <summary>Time after a leg's start that rates and latencies leave out. Default 0.</summary>
    public TimeSpan Warmup { get; init; }
}

/// <summary>Consecutive workers of a run that one orchestration fans out to.</summary>
public sealed record WorkerGroup
{
    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    public required ContainerTarget Container { get; init; }

    /// <summary>Index of the first worker.</summary>
    public required int First { get; init; }

    public required int Count { get; init; }
}
