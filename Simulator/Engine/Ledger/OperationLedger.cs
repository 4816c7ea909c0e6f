namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>Counts per kind of operation.</summary>
public sealed record OperationLedger
{
    public required OperationCounts Create { get; init; }

    public required OperationCounts Upsert { get; init; }

    public required OperationCounts Replace { get; init; }

    public required OperationCounts Read { get; init; }

    public required OperationCounts Delete { get; init; }

    /// <summary>TransactionalBatches; what they do to documents is in <see cref="DocumentLedger"/>.</summary>
    public required OperationCounts Batch { get; init; }

    /// <summary>Pages of queries and read feeds, each from one physical partition.</summary>
    public required OperationCounts Query { get; init; }
}
