namespace ScaleOut.DevBox.Display;

/// <summary>One worker as it is shown.</summary>
internal sealed record WorkerRow
{
    public required int Index { get; init; }

    public required string State { get; init; }

    public required int Leg { get; init; }

    public required Totals Totals { get; init; }

    /// <summary>Documents of its slice.</summary>
    public required long Slice { get; init; }

    public required LiveRates Rates { get; init; }

    public required int InFlight { get; init; }

    public string? LastError { get; init; }
}
