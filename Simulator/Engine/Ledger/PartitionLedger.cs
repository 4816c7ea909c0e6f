namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>What one physical partition did since its container was created.</summary>
public sealed record PartitionLedger
{
    /// <summary>Id of the partition key range, such as <c>0</c>.</summary>
    public required string Id { get; init; }

    /// <summary>First effective partition key of the range; empty for the first range.</summary>
    public required string MinInclusive { get; init; }

    /// <summary>First effective partition key after the range; <c>FF</c> for the last range.</summary>
    public required string MaxExclusive { get; init; }

    /// <summary>Ids of the partitions that its range was part of before they were split, the first one first.</summary>
    public IReadOnlyList<string> Parents { get; init; } = [];

    /// <summary>Whether it was split: others have its documents and its budget now, and what follows is what it did until then.</summary>
    public bool WasSplit { get; init; }

    /// <summary>The partition's share of the throughput, in RU/s; of one that was split, its last.</summary>
    public required double BudgetPerSecond { get; init; }

    /// <summary>Documents it holds now.</summary>
    public required long Documents { get; init; }

    public required double RequestUnits { get; init; }

    /// <summary>Operations answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>The seconds in which anything was charged or throttled, oldest first. Of a long run only the latest: see <see cref="AccountLedger.SecondsKept"/>.</summary>
    public required IReadOnlyList<SecondLedger> Seconds { get; init; }
}
