using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A partition key value as the store knows it: where it lies among the ranges, and a hash that tells logical partitions apart.</summary>
internal readonly record struct PartitionKeyIdentity(EffectivePartitionKey Position, ulong Hash)
{
    public static PartitionKeyIdentity From(PartitionKeyVersion version, PartitionKeyValue value)
    {
        // Version 1 has 32 bits only and looks at 100 characters only, so many keys share a position there.
        EffectivePartitionKey wide = EffectivePartitionKey.Of(PartitionKeyVersion.V2, value);
        return new(version == PartitionKeyVersion.V2 ? wide : EffectivePartitionKey.Of(version, value), (ulong)wide.Position);
    }
}
