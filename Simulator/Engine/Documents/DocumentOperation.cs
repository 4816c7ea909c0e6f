using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>One operation on one document, whichever front end it came through; made once and used again.</summary>
internal sealed class DocumentOperation
{
    public OperationKind Kind { get; set; }

    /// <summary>UTF-8 of a JSON array with one value; empty when the client gave none.</summary>
    public ReadOnlyMemory<byte> PartitionKeyJson { get; set; }

    /// <summary>UTF-8; of a read, replace or delete.</summary>
    public ReadOnlyMemory<byte> Id { get; set; }

    public ReadOnlyMemory<byte> Body { get; set; }

    public string? IfMatch { get; set; }

    public string? IfNoneMatch { get; set; }

    /// <summary>The latest write that the client's session has seen on the partition; 0 for none.</summary>
    public long SessionLsn { get; set; }

    /// <summary>Whether the client wants the document back.</summary>
    public bool ReturnsBody { get; set; }

    /// <summary>Set by preparing: ordinal of the physical partition, or -1.</summary>
    public int Partition { get; set; } = -1;

    /// <summary>Set by preparing.</summary>
    public DocumentKey Key { get; set; }

    /// <summary>Set by preparing, for writes with a body.</summary>
    public DocumentFacts Facts { get; set; }

    public OperationResult Result { get; set; }

    /// <summary>Where the returned document lies in the output.</summary>
    public (int Start, int Length) Output { get; set; }

    public bool IsWrite => Kind != OperationKind.Read;

    public void Reset()
    {
        PartitionKeyJson = default;
        Id = default;
        Body = default;
        IfMatch = null;
        IfNoneMatch = null;
        SessionLsn = 0;
        ReturnsBody = false;
        Partition = -1;
        Key = default;
        Facts = default;
        Result = default;
        Output = default;
    }
}
