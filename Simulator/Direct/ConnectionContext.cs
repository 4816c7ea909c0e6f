using ScaleOut.Simulator.Direct.Wire;

namespace ScaleOut.Simulator.Direct;

/// <summary>A connection's first exchange, in which both sides say who they are.</summary>
internal static class ConnectionContext
{
    private const uint ProtocolVersion = 1;
    private const int MostAnswerBytes = 128;

    /// <summary>The answer to a context frame.</summary>
    /// <exception cref="FrameException">The frame is no context, or of a protocol that is not spoken.</exception>
    public static byte[] Answer(ReadOnlySpan<byte> frame)
    {
        if (!RequestHead.TryRead(frame, out RequestHead head) || head.Resource != ResourceTypes.Connection || head.Operation != OperationTypes.Connection)
            throw new FrameException("the first frame is no context");
        uint version = 0;
        var tokens = new TokenReader(frame, FrameLimits.HeadBytes);
        while (!tokens.IsAtEnd)
        {
            if (!tokens.TryRead())
                throw new FrameException("a context with malformed tokens");
            if (tokens.Id == ContextTokens.ProtocolVersion && !tokens.TryGetUInt32(out version))
                throw new FrameException("a context whose protocol version is no number");
        }

        if (version != ProtocolVersion)
            throw new FrameException($"protocol version {version} is not spoken");
        Span<byte> buffer = stackalloc byte[MostAnswerBytes];
        var answer = new FrameWriter(buffer);
        answer.AddSmall(ContextTokens.ServerAgent, "SimulatedAccount"u8);
        answer.AddSmall(ContextTokens.ServerVersion, "1.0"u8);
        answer.Complete(status: 200, head.ActivityId);
        return buffer[..answer.Length].ToArray();
    }
}
