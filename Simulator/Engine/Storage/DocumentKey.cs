using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// Identity of a document in its container: 64 bits of a hash of the partition key and 64 of the id. Two documents are taken for one when
/// all 128 bits agree, which for a billion documents has a chance of about 1 in 10^21.
/// </summary>
internal readonly record struct DocumentKey(ulong PartitionKeyHash, ulong IdHash)
{
    /// <summary>Well-mixed bits for the index.</summary>
    public ulong Mixed => (PartitionKeyHash ^ (IdHash >> 29 | IdHash << 35)) * 0x9E3779B97F4A7C15;

    public static ulong HashId(ReadOnlySpan<byte> utf8) => (ulong)MurmurHash3.Hash128(utf8);
}

/// <summary>
/// A partition key value as the store knows it: where it lies among the ranges, and a hash that distinguishes logical partitions.
/// </summary>
internal readonly record struct PartitionKeyIdentity(EffectivePartitionKey Position, ulong Hash)
{
    public static PartitionKeyIdentity From(PartitionKeyVersion version, PartitionKeyValue value)
    {
        // Version 1 has 32 bits only and looks at 100 characters only, so many keys share a position there.
        EffectivePartitionKey wide = EffectivePartitionKey.From(PartitionKeyVersion.V2, value);
        return new(version == PartitionKeyVersion.V2 ? wide : EffectivePartitionKey.From(version, value), (ulong)wide.Position);
    }
}
