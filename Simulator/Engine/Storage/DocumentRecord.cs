using System.Runtime.InteropServices;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>What stands in front of each body in the arena.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DocumentRecord
{
    public DocumentKey Key;

    /// <summary>Number in the container, part of the resource id; kept for the document's life, through splits too.</summary>
    public long Number;

    /// <summary>
    /// Place in the order of scanning: the log sequence number of the write that brought the document there, which is a later one when the
    /// document moves to the arena's end.
    /// </summary>
    public long Sequence;

    /// <summary>Log sequence number of the last write; the ETag is made of it.</summary>
    public long Version;

    /// <summary>Last write, in seconds since 1970.</summary>
    public uint TimestampSeconds;

    /// <summary>Indexed leaves, for what a delete costs.</summary>
    public int Leaves;

    /// <summary>Bytes of the body; negative for a record that is dead.</summary>
    public int BodyLength;

    /// <summary>Bytes the body may grow to in place.</summary>
    public int Capacity;

    public readonly bool IsDead => BodyLength < 0;
}
