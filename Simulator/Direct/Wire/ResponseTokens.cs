namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Ids of the tokens that answers carry.</summary>
internal static class ResponseTokens
{
    public const ushort PayloadPresent = 0x00;
    public const ushort Continuation = 0x03;
    public const ushort Etag = 0x04;
    public const ushort RetryAfterMs = 0x0C;
    public const ushort Lsn = 0x13;
    public const ushort ItemCount = 0x14;
    public const ushort Charge = 0x15;
    public const ushort OwnerName = 0x17;
    public const ushort OwnerRid = 0x18;
    public const ushort QuorumAckedLsn = 0x1A;
    public const ushort SubStatus = 0x1C;
    public const ushort WriteQuorum = 0x1E;
    public const ushort ReplicaSetSize = 0x1F;
    public const ushort PartitionKeyRangeId = 0x21;
    public const ushort GlobalCommittedLsn = 0x29;
    public const ushort ReadRegions = 0x30;
    public const ushort ItemLsn = 0x32;
    public const ushort TransportRequestId = 0x35;
    public const ushort LocalLsn = 0x3A;
    public const ushort QuorumAckedLocalLsn = 0x3B;
    public const ushort ItemLocalLsn = 0x3C;
    public const ushort SessionToken = 0x3E;
}
