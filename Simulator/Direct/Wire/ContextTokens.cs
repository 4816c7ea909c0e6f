namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Ids of the tokens of a connection's first exchange.</summary>
internal static class ContextTokens
{
    public const ushort ProtocolVersion = 0x0;
    public const ushort ServerAgent = 0x2;
    public const ushort ServerVersion = 0x3;
}
