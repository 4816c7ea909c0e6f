namespace ScaleOut.Sizing;

/// <summary>What the service charges, from a price file of the user's: prices differ by region and contract, so none are built in.</summary>
public sealed record PriceList
{
    /// <summary>Such as <c>EUR</c>; at most 10 characters.</summary>
    public required string Currency { get; init; }

    /// <summary>Price of one provisioned RU/s for an hour, 0 and more. Price lists mostly give it for 100 RU/s.</summary>
    public required double RequestUnitPerSecondHour { get; init; }

    /// <summary>Price of one worker instance for a second, 0 and more.</summary>
    public required double InstanceSecond { get; init; }

    /// <summary>Where the prices are from, shown beside the cost; null when the file does not say.</summary>
    public string? Source { get; init; }
}
