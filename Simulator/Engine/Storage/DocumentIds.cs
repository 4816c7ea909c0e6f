using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>How an id becomes part of a <see cref="DocumentKey"/>.</summary>
internal static class DocumentIds
{
    public static ulong Hash(ReadOnlySpan<byte> utf8) => (ulong)MurmurHash3.Hash128(utf8);
}
