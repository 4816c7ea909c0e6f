namespace ScaleOut.DevBox.Sizing;

/// <summary>What a fleet and its container cost in a month, at the prices of a price file.</summary>
internal sealed record MonthCost
{
    /// <summary>Hours of a month, as Azure's price lists count them.</summary>
    public const double Hours = 730;

    /// <summary>Smallest share of its highest throughput that autoscale is billed for.</summary>
    private const double MinAutoscaleShare = 0.1;

    private const double AutoscaleStep = 1_000;

    public required string Currency { get; init; }

    public required string? Source { get; init; }

    /// <summary>Cost of fixed throughput.</summary>
    public required double FixedThroughput { get; init; }

    /// <summary>Cost of autoscale throughput that reaches its maximum in every hour.</summary>
    public required double AutoscaleBusy { get; init; }

    /// <summary>Cost of autoscale throughput that is hardly used.</summary>
    public required double AutoscaleIdle { get; init; }

    /// <summary>Cost of the documents' storage, without their index; null if storage has no price.</summary>
    public required double? Storage { get; init; }

    /// <summary>Cost of the workers, if they run all the time.</summary>
    public required double Compute { get; init; }

    /// <summary>The sum with fixed throughput; storage is left out if it has no price.</summary>
    public double Total => FixedThroughput + (Storage ?? 0) + Compute;

    /// <summary>Share of the RU/s below which autoscale is cheaper, on average over the hours.</summary>
    public double BreakEven => FixedThroughput / AutoscaleBusy;

    public static MonthCost From(PriceList prices, int workers, double throughput, long documents, int bytes)
    {
        var highest = Math.Ceiling(throughput / AutoscaleStep) * AutoscaleStep;
        var autoscale = highest * RunUsage.AutoscaleFactor * prices.RequestUnitPerSecondHour * Hours;
        return new MonthCost
        {
            Currency = prices.Currency,
            Source = prices.Source,
            FixedThroughput = Math.Round(throughput * prices.RequestUnitPerSecondHour * Hours, 2),
            AutoscaleBusy = Math.Round(autoscale, 2),
            AutoscaleIdle = Math.Round(autoscale * MinAutoscaleShare, 2),
            Storage = prices.StorageGigabyteMonth is { } price ? Math.Round(documents * (double)bytes / 1e9 * price, 2) : null,
            Compute = Math.Round(workers * prices.InstanceSecond * RunUsage.SecondsPerHour * Hours, 2),
        };
    }
}
