namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>One operation on one document. The object is reused.</summary>
internal sealed class DocumentOperation
{
    public OperationKind Kind { get; set; }

    /// <summary>UTF-8 of a JSON array with one value; empty if the client gave none.</summary>
    public ReadOnlyMemory<byte> PartitionKeyJson { get; set; }

    /// <summary>UTF-8 of the document's id; only for a read, replace, patch or delete.</summary>
    public ReadOnlyMemory<byte> Id { get; set; }

    public ReadOnlyMemory<byte> Body { get; set; }

    public string? IfMatch { get; set; }

    /// <summary>The indexing directive of an operation in a batch; null for none.</summary>
    public string? IndexingDirective { get; set; }

    public string? IfNoneMatch { get; set; }

    /// <summary>The latest write that the client's session has seen on the partition; 0 for none.</summary>
    public long SessionLsn { get; set; }

    /// <summary>Whether the client wants the document back.</summary>
    public bool ReturnsBody { get; set; }

    /// <summary>Set by preparing: the partition of the key; null if the key is not valid.</summary>
    public PhysicalPartition? Partition { get; set; }

    /// <summary>Set by preparing.</summary>
    public DocumentKey Key { get; set; }

    /// <summary>Set by preparing, for writes with a body.</summary>
    public DocumentFacts Facts { get; set; }

    /// <summary>Set by preparing, for a replacement that is not valid: the result if the document exists.</summary>
    public OperationResult? InvalidBody { get; set; }

    /// <summary>Set by preparing, for a patch.</summary>
    public PatchSpecification? Patch { get; set; }

    public OperationResult Result { get; set; }

    /// <summary>The returned document's place in the output.</summary>
    public (int Start, int Length) Output { get; set; }

    public void Reset()
    {
        PartitionKeyJson = default;
        Id = default;
        Body = default;
        IfMatch = null;
        IndexingDirective = null;
        IfNoneMatch = null;
        SessionLsn = 0;
        ReturnsBody = false;
        Partition = null;
        Key = default;
        Facts = default;
        InvalidBody = null;
        Patch = null;
        Result = default;
        Output = default;
    }
}
