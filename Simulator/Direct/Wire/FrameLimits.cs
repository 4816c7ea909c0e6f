namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Sizes that no frame may exceed. A frame that claims more closes its connection before anything is allocated for it.</summary>
internal static class FrameLimits
{
    /// <summary>Bytes of the header of every frame: length, resource, operation and activity id.</summary>
    public const int HeadBytes = 24;

    /// <summary>Head and tokens. The largest tokens are the session's and the continuation.</summary>
    public const int MaxHeaderBytes = 128 * 1024;

    /// <summary>More than the largest document or batch, so that requests that are too large get a 413.</summary>
    public const int MaxBodyBytes = 8 * 1024 * 1024;

    /// <summary>Head and tokens of a handshake.</summary>
    public const int MaxHandshakeBytes = 8 * 1024;
}
