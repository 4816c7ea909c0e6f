namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>Counts of one kind of operation, as the SDK's caller counts: a bulk document is one operation of its own kind, a TransactionalBatch is one.</summary>
public sealed record OperationCounts
{
    /// <summary>Operations that reached the account, whatever their outcome.</summary>
    public required long Attempts { get; init; }

    /// <summary>Operations answered 429.</summary>
    public required long Throttled { get; init; }

    public required double RequestUnits { get; init; }
}
