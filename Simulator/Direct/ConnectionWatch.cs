namespace ScaleOut.Simulator.Direct;

/// <summary>
/// Tracks the activity of a connection, so that the server can detect timeouts. The connection writes it; the server polls it.
/// </summary>
internal sealed class ConnectionWatch
{
    /// <summary>Timeout of the handshake.</summary>
    private const long HandshakeTimeoutMs = 15_000;

    /// <summary>Timeout within a frame, and timeout of a send to a client that does not read its responses.</summary>
    private const long StallTimeoutMs = 30_000;

    /// <summary>Idle timeout between requests. It is long, because clients keep connections open between legs.</summary>
    private const long IdleTimeoutMs = 30 * 60_000;

    private readonly long _openedAt = Environment.TickCount64;
    private long _heardAt = Environment.TickCount64;
    private long _sendingSince;
    private volatile bool _isEstablished;
    private volatile bool _isInFrame;

    public void Established() => _isEstablished = true;

    public void Heard(bool isInFrame)
    {
        Volatile.Write(ref _heardAt, Environment.TickCount64);
        _isInFrame = isInFrame;
    }

    public void Sending() => Volatile.Write(ref _sendingSince, Environment.TickCount64);

    public void Sent() => Volatile.Write(ref _sendingSince, 0);

    /// <summary>Returns the reason why the connection has timed out; null if it has not.</summary>
    /// <param name="nowMs">Time of <see cref="Environment.TickCount64"/>.</param>
    public string? Overdue(long nowMs)
    {
        var heardMs = nowMs - Volatile.Read(ref _heardAt);
        var sending = Volatile.Read(ref _sendingSince);
        return !_isEstablished && nowMs - _openedAt > HandshakeTimeoutMs ? "the handshake timed out"
            : _isInFrame && heardMs > StallTimeoutMs ? "it stalled in the middle of a frame"
            : sending != 0 && nowMs - sending > StallTimeoutMs ? "the client does not take its responses"
            : heardMs > IdleTimeoutMs ? "the idle timeout expired"
            : null;
    }
}
