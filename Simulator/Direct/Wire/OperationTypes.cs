namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Kinds of operation in a request's head.</summary>
internal static class OperationTypes
{
    public const ushort Connection = 0x0;
    public const ushort Create = 0x1;
    public const ushort Read = 0x3;
    public const ushort ReadFeed = 0x4;
    public const ushort Delete = 0x5;
    public const ushort Replace = 0x6;
    public const ushort SqlQuery = 0x9;
    public const ushort Query = 0xF;
    public const ushort Head = 0x11;
    public const ushort HeadFeed = 0x12;
    public const ushort Upsert = 0x13;
    public const ushort Batch = 0x25;
}
