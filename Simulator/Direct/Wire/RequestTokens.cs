namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Ids of the request tokens that are read; all others are skipped.</summary>
internal static class RequestTokens
{
    public const ushort ResourceId = 0x00;
    public const ushort Authorization = 0x01;
    public const ushort PayloadPresent = 0x02;
    public const ushort Date = 0x03;
    public const ushort PageSize = 0x04;
    public const ushort SessionToken = 0x05;
    public const ushort Continuation = 0x06;
    public const ushort Match = 0x08;
    public const ushort ConsistencyLevel = 0x10;
    public const ushort ReplicaPath = 0x13;
    public const ushort Database = 0x15;
    public const ushort Container = 0x16;
    public const ushort Document = 0x17;
    public const ushort PartitionKey = 0x2B;
    public const ushort PartitionKeyRangeId = 0x2C;
    public const ushort CollectionRid = 0x35;
    public const ushort ChangeFeed = 0x3F;
    public const ushort TransportRequestId = 0x4D;
    public const ushort StartPosition = 0x62;
    public const ushort EndPosition = 0x63;
    public const ushort BatchAtomic = 0x73;
    public const ushort BatchContinueOnError = 0x74;
    public const ushort ReturnPreference = 0x82;
    public const ushort IntendedCollectionRid = 0x9D;
}
