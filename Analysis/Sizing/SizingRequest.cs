using ScaleOut.Analysis.Costs;

namespace ScaleOut.Analysis.Sizing;

/// <summary>What is to be sized.</summary>
public sealed record SizingRequest
{
    /// <summary>Share of the RU/s kept spare where a request does not say.</summary>
    public const double DefaultHeadroom = 0.1;

    /// <summary>Inserts per second to reach and hold, above 0 to 1,000,000,000.</summary>
    public required double InsertsPerSecond { get; init; }

    /// <summary>Documents that the container is to hold, 1 to 10^15; null when only the rate matters.</summary>
    public long? Documents { get; init; }

    /// <summary>Share of the RU/s kept spare, so that a second above the mean is not throttled, 0 to 0.9. Default 0.1.</summary>
    public double Headroom { get; init; } = DefaultHeadroom;

    /// <summary>Null when the cost is not asked for.</summary>
    public PriceList? Prices { get; init; }
}
