namespace ScaleOut.Analysis.Reports;

/// <summary>The load of one physical partition, attributed by the hash of each document's partition key.</summary>
public sealed record PartitionReport
{
    /// <summary>Ordinal in order of ranges, from 0.</summary>
    public required int Id { get; init; }

    /// <summary>Effective partition keys, hexadecimal, from (inclusive) to (exclusive), such as <c>"-3F"</c> for all below 3F.</summary>
    public required string Range { get; init; }

    /// <summary>
    /// RU/s that it may use: the container's, divided by the number of partitions. Null if the account does not report it.
    /// </summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether the even share is an assumption: a real account does not say how it shares its RU/s out.</summary>
    public required bool AssumedEven { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>RU charged in each second of <see cref="RunReport.Series"/>, entry by entry.</summary>
    public IReadOnlyList<double> PerSecond { get; init; } = [];
}
