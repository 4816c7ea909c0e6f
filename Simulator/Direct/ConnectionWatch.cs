namespace ScaleOut.Simulator.Direct;

/// <summary>Records how long a connection has waited, and for what. The connection writes it, the server reads it regularly.</summary>
internal sealed class ConnectionWatch
{
    /// <summary>Longest time until the handshake.</summary>
    private const long OpeningMs = 15_000;

    /// <summary>Longest silence in the middle of a frame, and longest wait for a client to take responses.</summary>
    private const long StalledMs = 30_000;

    /// <summary>Longest silence between requests: clients keep connections over the pauses between legs.</summary>
    private const long IdleMs = 30 * 60_000;

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

    /// <summary>Why the connection must end; null if it must not.</summary>
    /// <param name="nowMs">Time of <see cref="Environment.TickCount64"/>.</param>
    public string? Overdue(long nowMs)
    {
        var heardMs = nowMs - Volatile.Read(ref _heardAt);
        var sending = Volatile.Read(ref _sendingSince);
        return !_isEstablished && nowMs - _openedAt > OpeningMs ? "it was not set up in time"
            : _isInFrame && heardMs > StalledMs ? "it stalled in the middle of a frame"
            : sending != 0 && nowMs - sending > StalledMs ? "the client does not take its responses"
            : heardMs > IdleMs ? "it was idle"
            : null;
    }
}
