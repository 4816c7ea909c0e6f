namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Sizes that no frame may exceed; a frame that claims more closes its connection before anything is allocated for it.</summary>
internal static class FrameLimits
{
    /// <summary>Length, resource, operation and activity id: what every frame begins with.</summary>
    public const int HeadBytes = 24;

    /// <summary>Head and tokens. The largest tokens are the session's and the continuation.</summary>
    public const int MostHeaderBytes = 128 * 1024;

    /// <summary>The largest document or batch is allowed; somewhat more ends with 413, and far more is no request at all.</summary>
    public const int MostBodyBytes = 8 * 1024 * 1024;

    /// <summary>Head and tokens of a handshake.</summary>
    public const int MostHandshakeBytes = 8 * 1024;
}
