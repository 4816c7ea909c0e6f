namespace ScaleOut.Sizing;

/// <summary>
/// What a load into a container costs by itself, and what its container costs afterwards. Throughput is billed by the hour, for the highest
/// RU/s of each hour.
/// </summary>
public sealed record LoadCost
{
    public required long Documents { get; init; }

    /// <summary>Documents a second.</summary>
    public required double Rate { get; init; }

    public required double Seconds { get; init; }

    /// <summary>The time that the load may take; null if it takes all of it.</summary>
    public double? MaxSeconds { get; init; }

    /// <summary>Hours of throughput that are billed.</summary>
    public required double HoursBilled { get; init; }

    public required double Throughput { get; init; }

    public required double Compute { get; init; }

    public double Total => Throughput + Compute;

    /// <summary>Physical partitions that the container keeps after the load.</summary>
    public int Partitions { get; init; }

    /// <summary>RU/s to go back to; null if none holds the rate of afterwards.</summary>
    public int? ThroughputAfterwards { get; init; }

    /// <summary>Why the RU/s cannot be fewer.</summary>
    public string? Because { get; init; }

    /// <summary>Documents a second after the load; 0 if nothing is known of it.</summary>
    public double RateAfterwards { get; init; }

    /// <param name="cores">Cores of each worker.</param>
    internal static LoadCost From(
        PriceList prices, FleetSettings settings, int cores, SizedLoad load, AccountPlan? plan = null, bool autoscale = false)
    {
        plan ??= new AccountPlan();
        var hours = Math.Max(1, Math.Ceiling(load.Within.TotalHours));
        return new LoadCost
        {
            Documents = load.Documents,
            Rate = load.Documents / load.Within.TotalSeconds,
            Seconds = load.Within.TotalSeconds,
            HoursBilled = hours,
            Partitions = settings.Partitions,
            Throughput = Math.Round(plan.HourOf(settings.Throughput, prices, autoscale) * hours, 2),
            Compute = Math.Round(settings.Workers * cores * prices.InstanceSecond * load.Within.TotalSeconds, 2),
        };
    }
}

/// <summary>Documents that are to be written within a time.</summary>
internal readonly record struct SizedLoad(long Documents, TimeSpan Within);
