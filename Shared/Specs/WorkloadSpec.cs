using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>What the workers do.</summary>
public sealed record WorkloadSpec
{
    /// <summary>Default batch size of <see cref="WorkloadKind.Batch"/>; also the most a TransactionalBatch may hold.</summary>
    public const int MaxBatchSize = 100;

    /// <summary>Default <see cref="WorkloadKind.Insert"/>.</summary>
    public WorkloadKind Kind { get; init; } = WorkloadKind.Insert;

    /// <summary>Documents per TransactionalBatch, 1 to 100; only with <see cref="WorkloadKind.Batch"/>. Null means 100.</summary>
    public int? BatchSize { get; init; }

    /// <summary>Documents that one operation handed to the SDK carries: the batch size for batches, else 1. Slices, legs and <c>next</c> lie on its multiples.</summary>
    [JsonIgnore]
    public int DocumentsPerOperation => Kind == WorkloadKind.Batch ? BatchSize ?? MaxBatchSize : 1;
}
