namespace ScaleOut.Sizing;

/// <summary>What the sizing costs, in the price list's currency.</summary>
public sealed record SizingCost
{
    public required string Currency { get; init; }

    /// <summary>The provisioned RU/s for an hour.</summary>
    public required double RequestUnitsPerHour { get; init; }

    /// <summary>The estimated worker instances for an hour; null when no number of them reaches the rate.</summary>
    public double? InstancesPerHour { get; init; }

    /// <summary>Both for an hour; null with <see cref="InstancesPerHour"/>.</summary>
    public double? PerHour { get; init; }

    /// <summary>Both for as long as a million inserts take at the rate; null with <see cref="InstancesPerHour"/>.</summary>
    public double? PerMillion { get; init; }

    /// <summary>Where the prices are from; null when the file does not say.</summary>
    public string? PriceSource { get; init; }
}
