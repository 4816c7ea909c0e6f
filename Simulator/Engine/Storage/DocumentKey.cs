namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// Identity of a document in its container: 64 bits of a hash of the partition key and 64 of the id. Two documents are taken for one when all 128
/// bits agree, which for a billion documents has a chance of about 1 in 10^21.
/// </summary>
internal readonly record struct DocumentKey(ulong PartitionKeyHash, ulong IdHash)
{
    /// <summary>Well-mixed bits for the index.</summary>
    public ulong Mixed => (PartitionKeyHash ^ (IdHash >> 29 | IdHash << 35)) * 0x9E3779B97F4A7C15;
}
