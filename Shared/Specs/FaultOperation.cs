namespace ScaleOut.Specs;

/// <summary>Document operations that a <see cref="FaultRule"/> can pick.</summary>
public enum FaultOperation
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>A TransactionalBatch or a bulk request as a whole.</summary>
    Batch,

    Query,
    Patch,
}
