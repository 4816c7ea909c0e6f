namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>Kinds of operation as the SDK's callers count them, in the order of <see cref="Specs.FaultOperation"/>.</summary>
internal enum OperationKind
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>
    /// A TransactionalBatch, or the request that carries bulk operations; in the ledger each bulk operation counts as its own kind.
    /// </summary>
    Batch,

    /// <summary>One page of a query or a read feed from one physical partition.</summary>
    Query,
    Patch,
}
