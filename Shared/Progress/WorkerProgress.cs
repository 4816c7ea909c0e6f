namespace ScaleOut.Progress;

/// <summary>What a worker tells of itself while a leg runs. Counts are of the leg so far. The newest by (<see cref="Leg"/>, <see cref="Attempt"/>, <see cref="Sequence"/>) holds.</summary>
public sealed record WorkerProgress
{
    public required string RunId { get; init; }

    public required int Worker { get; init; }

    public required int Leg { get; init; }

    public required int Attempt { get; init; }

    public required long Sequence { get; init; }

    public required WorkerActivity Activity { get; init; }

    public long Inserted { get; init; }

    public long AlreadyPresent { get; init; }

    public long Failed { get; init; }

    public long Throttled { get; init; }

    public double RequestUnits { get; init; }

    public int InFlight { get; init; }

    /// <summary>The last error, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }
}
