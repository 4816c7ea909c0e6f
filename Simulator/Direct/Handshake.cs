using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>A connection's first exchange, in which both sides say who they are.</summary>
internal static class Handshake
{
    /// <summary>The request's token for the version that the client speaks.</summary>
    public const ushort ProtocolVersion = 0x0;

    private const ushort ServerAgent = 0x2;
    private const ushort ServerVersion = 0x3;
    private const uint SpokenVersion = 1;
    private const int MostResponseBytes = 128;

    /// <summary>The response to a handshake request.</summary>
    /// <exception cref="FrameException">The frame is no handshake, or of a protocol that is not spoken.</exception>
    public static byte[] Respond(ReadOnlySpan<byte> frame, AccountRequest request)
    {
        if (!RequestFrame.TryRead(frame, request, out FrameIds ids)
            || request is not { Resource: ResourceType.Connection, Operation: OperationType.None })
            throw new FrameException("the first frame is no handshake");
        uint version = 0;
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead())
                throw new FrameException("a handshake with malformed tokens");
            if (tokens.Id == ProtocolVersion && !tokens.TryGetUInt32(out version))
                throw new FrameException("a handshake whose protocol version is no number");
        }

        if (version != SpokenVersion)
            throw new FrameException($"protocol version {version} is not spoken");
        Span<byte> buffer = stackalloc byte[MostResponseBytes];
        var response = new FrameWriter(buffer);
        response.AddSmall(ServerAgent, "SimulatedAccount"u8);
        response.AddSmall(ServerVersion, "1.0"u8);
        response.Complete(status: 200, ids.ActivityId);
        return buffer[..response.Length].ToArray();
    }
}
