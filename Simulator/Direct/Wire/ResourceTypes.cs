namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Kinds of resource in a request's head.</summary>
internal static class ResourceTypes
{
    public const ushort Connection = 0x0;
    public const ushort Database = 0x1;
    public const ushort Container = 0x2;
    public const ushort Document = 0x3;
}
