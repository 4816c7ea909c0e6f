namespace ScaleOut.Simulator.Direct;

/// <summary>
/// Tracks the activity of a connection, so that the server can detect timeouts. The connection writes it; the server polls it.
/// </summary>
internal sealed class ConnectionWatch(TimeProvider time)
{
    /// <summary>Timeout of the handshake.</summary>
    private static readonly TimeSpan HandshakeTimeout = TimeSpan.FromSeconds(15);

    /// <summary>Timeout within a frame, and timeout of a send to a client that does not read its responses.</summary>
    private static readonly TimeSpan StallTimeout = TimeSpan.FromSeconds(30);

    /// <summary>Idle timeout between requests. It is long, because clients keep connections open between legs.</summary>
    private static readonly TimeSpan IdleTimeout = TimeSpan.FromMinutes(30);

    private readonly long _openedAt = time.GetTimestamp();
    private long _heardAt = time.GetTimestamp();
    private long _sendingSince;
    private volatile bool _isEstablished;
    private volatile bool _isInFrame;

    public void Established() => _isEstablished = true;

    public void Heard(bool isInFrame)
    {
        Volatile.Write(ref _heardAt, time.GetTimestamp());
        _isInFrame = isInFrame;
    }

    public void Sending() => Volatile.Write(ref _sendingSince, time.GetTimestamp());

    public void Sent() => Volatile.Write(ref _sendingSince, 0);

    /// <summary>Returns the reason why the connection has timed out; null if it has not.</summary>
    public string? Overdue()
    {
        var silence = time.GetElapsedTime(Volatile.Read(ref _heardAt));
        var sending = Volatile.Read(ref _sendingSince);
        return !_isEstablished && time.GetElapsedTime(_openedAt) > HandshakeTimeout ? "the handshake timed out"
            : _isInFrame && silence > StallTimeout ? "it stalled in the middle of a frame"
            : sending != 0 && time.GetElapsedTime(sending) > StallTimeout ? "the client does not take its responses"
            : silence > IdleTimeout ? "the idle timeout expired"
            : null;
    }
}
