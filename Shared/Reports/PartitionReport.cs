namespace ScaleOut.Reports;

/// <summary>What went to one physical partition, attributed by the hash of each document's partition key.</summary>
public sealed record PartitionReport
{
    /// <summary>Ordinal in order of ranges, from 0.</summary>
    public required int Id { get; init; }

    /// <summary>Effective partition keys, hexadecimal, from (inclusive) to (exclusive), such as <c>"-3F"</c> for all below 3F.</summary>
    public required string Range { get; init; }

    /// <summary>RU/s that it may use: the container's, divided by the number of partitions. Null where the account does not tell.</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether the even share is an assumption: a real account does not tell how it shares its RU/s out.</summary>
    public required bool AssumedEven { get; init; }

    /// <summary>RU charged to the workload.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Operations answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>Documents inserted.</summary>
    public required long Documents { get; init; }

    /// <summary>RU charged in each second of <see cref="RunReport.Series"/>, entry by entry.</summary>
    public IReadOnlyList<double> PerSecond { get; init; } = [];
}
