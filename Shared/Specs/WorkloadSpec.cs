using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>What the workers do.</summary>
public sealed record WorkloadSpec
{
    /// <summary>Default batch size of <see cref="WorkloadKind.Batch"/>; also the most a TransactionalBatch may hold.</summary>
    public const int MaxBatchSize = 100;

    /// <summary>Most <see cref="Steps"/>.</summary>
    public const int MostSteps = 100;

    /// <summary>Default <see cref="WorkloadKind.Insert"/>.</summary>
    public WorkloadKind Kind { get; init; } = WorkloadKind.Insert;

    /// <summary>
    /// Documents per TransactionalBatch, 1 to 100; only with <see cref="WorkloadKind.Batch"/>, and beside <see cref="OfRun"/> when that run wrote batches of so
    /// many. Null means 100, beside <see cref="OfRun"/> single documents.
    /// </summary>
    public int? BatchSize { get; init; }

    /// <summary>Whether the SDK groups reads or deletes by physical partition (<c>AllowBulkExecution</c>). Default false; <see cref="WorkloadKind.Bulk"/> says it of creates.</summary>
    public bool Bulk { get; init; }

    /// <summary>
    /// Documents that reads, queries and deletes choose from, 1 to 1,000,000,000: number n addresses document n modulo this. The workers put them before the
    /// start, unmeasured; with <see cref="OfRun"/> they are that run's. For deletes at least the run's documents. Null means as many as the run's documents.
    /// </summary>
    public long? Population { get; init; }

    /// <summary>The run whose documents are in the named container; reads and deletes of a named container need it. Null means this run's own.</summary>
    public string? OfRun { get; init; }

    /// <summary>Exactly with <see cref="WorkloadKind.Query"/>.</summary>
    public QuerySpec? Query { get; init; }

    /// <summary>Closed loop: how long each lane waits after an operation before its next one, 0 to 10 min and at most half of the leg duration. Default 0.</summary>
    public TimeSpan ThinkTime { get; init; }

    /// <summary>
    /// Changes of the load, one after the other from the common start; the run ends after the last one, or before when all documents are done.
    /// Up to 100. Null means one load for the whole run.
    /// </summary>
    public IReadOnlyList<StepSpec>? Steps { get; init; }

    /// <summary>Documents that one operation handed to the SDK carries: the batch size for batches, else 1. Slices, legs and <c>next</c> lie on its multiples.</summary>
    [JsonIgnore]
    public int DocumentsPerOperation => Kind == WorkloadKind.Batch ? BatchSize ?? MaxBatchSize : 1;

    /// <summary>Whether the client groups operations by physical partition.</summary>
    [JsonIgnore]
    public bool UsesBulk => Kind == WorkloadKind.Bulk || Bulk;

    /// <summary>Documents that the operations choose from, of a run with so many numbers.</summary>
    public long PopulationOf(long documents) => Population ?? documents;
}
