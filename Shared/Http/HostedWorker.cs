namespace ScaleOut.Http;

/// <summary>One worker of a run that is under way.</summary>
public sealed record HostedWorker
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>In one word: <c>starting</c>, <c>warming</c>, <c>waiting</c>, <c>running</c>, <c>draining</c>, <c>restarting</c>, <c>done</c>, <c>stopped</c> or <c>failed</c>.</summary>
    public required string State { get; init; }

    /// <summary>The leg in hand, from 1; 0 before the first.</summary>
    public required int Leg { get; init; }

    /// <summary>Documents of its slice.</summary>
    public required long Asked { get; init; }

    /// <summary>Of these done.</summary>
    public required long Done { get; init; }

    /// <summary>Operations answered 429 so far.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged so far.</summary>
    public required double RequestUnits { get; init; }

    public required HostedRates PerSecond { get; init; }

    /// <summary>Operations that the SDK has in hand.</summary>
    public int InFlight { get; init; }

    /// <summary>The last error, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }
}
