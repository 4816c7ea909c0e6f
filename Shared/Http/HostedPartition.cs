namespace ScaleOut.Http;

/// <summary>One physical partition of the container that a run writes to, as its workers see it.</summary>
public sealed record HostedPartition
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range; <c>FF</c> for the highest.</summary>
    public required string Max { get; init; }

    /// <summary>RU charged so far.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Operations answered 429 so far.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged per second, over the last few seconds.</summary>
    public required double RequestUnitsPerSecond { get; init; }

    /// <summary>Its share of the container's RU/s, taken as even; null when the throughput is not known.</summary>
    public double? BudgetPerSecond { get; init; }
}
