using System.Text.Json.Serialization;

namespace ScaleOut.DevBox.Sizing;

/// <summary>A way to buy RU/s.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ThroughputPurchase>))]
internal enum ThroughputPurchase
{
    /// <summary>Fixed throughput.</summary>
    Fixed,

    /// <summary>Autoscale that is at its rate in every hour.</summary>
    Autoscale,

    /// <summary>Autoscale that is at its rate in the peak hours of each day.</summary>
    AutoscaleWithPeak,
}

/// <summary>When a fleet has its rate.</summary>
/// <param name="HoursPerDay">Hours of each day at the rate.</param>
/// <param name="IdleShare">Rate of the other hours, as a share of the rate.</param>
internal sealed record DailyPeak(double HoursPerDay, double IdleShare)
{
    public const double Hours = 24;

    /// <summary>Mean rate of a day, as a share of the rate.</summary>
    public double AverageShare => (HoursPerDay + ((Hours - HoursPerDay) * IdleShare)) / Hours;

    /// <summary>Hours at the rate that write as much as the busiest stretch of so many days.</summary>
    public double MostHoursIn(double days)
    {
        var rest = (days - Math.Floor(days)) * Hours;
        return (Math.Floor(days) * AverageShare * Hours) + Math.Min(rest, HoursPerDay) + (Math.Max(0, rest - HoursPerDay) * IdleShare);
    }
}

/// <summary>What a fleet and its container cost in a month, at the prices of a price file.</summary>
internal sealed record MonthCost
{
    /// <summary>Hours of a month, as Azure's price lists count them.</summary>
    public const double Hours = 730;

    /// <summary>Smallest share of its highest throughput that autoscale is billed for.</summary>
    private const double MinAutoscaleShare = 0.1;

    public required string Currency { get; init; }

    public required string? Source { get; init; }

    /// <summary>RU/s that fixed throughput is billed for: those of the container, or more if its storage demands it.</summary>
    public required double Throughput { get; init; }

    /// <summary>Highest RU/s of autoscale: those of the container in steps of 1,000, or more if its storage demands it.</summary>
    public required double AutoscaleThroughput { get; init; }

    /// <summary>Cost of fixed throughput.</summary>
    public required double FixedThroughput { get; init; }

    /// <summary>Cost of autoscale throughput that is at the rate in every hour.</summary>
    public required double AutoscaleBusy { get; init; }

    /// <summary>Cost of autoscale throughput with the peak hours that were stated; null without any.</summary>
    public required double? AutoscaleWithPeak { get; init; }

    /// <summary>Cost of the documents' storage, without their index; null if storage has no price.</summary>
    public required double? Storage { get; init; }

    /// <summary>Gigabytes of documents, without their index.</summary>
    public required double Gigabytes { get; init; }

    /// <summary>Cost of the workers, if they run all the time.</summary>
    public required double Compute { get; init; }

    /// <summary>The cheapest way to buy the throughput.</summary>
    public ThroughputPurchase Cheapest => AutoscaleWithPeak < Math.Min(FixedThroughput, AutoscaleBusy)
        ? ThroughputPurchase.AutoscaleWithPeak
        : AutoscaleBusy < FixedThroughput ? ThroughputPurchase.Autoscale : ThroughputPurchase.Fixed;

    /// <summary>The sum with the throughput bought in its cheapest way; storage is left out if it has no price.</summary>
    public double Total => CheapestThroughput + (Storage ?? 0) + Compute;

    /// <summary>Share of the RU/s below which autoscale is cheaper, on average over the hours.</summary>
    public double BreakEven => FixedThroughput / AutoscaleBusy;

    /// <summary>Cost of the throughput bought in its cheapest way.</summary>
    internal double CheapestThroughput => Math.Min(Math.Min(FixedThroughput, AutoscaleBusy), AutoscaleWithPeak ?? double.PositiveInfinity);

    /// <summary>The cost of a month.</summary>
    /// <param name="throughput">RU/s that the rate takes.</param>
    /// <param name="gigabytes">Documents that are kept.</param>
    /// <param name="peak">Null if the rate lasts all day.</param>
    /// <param name="cores">Cores of all workers together.</param>
    public static MonthCost From(PriceList prices, int cores, double throughput, double gigabytes, DailyPeak? peak = null)
    {
        var least = StorageNeeds.MinThroughput(gigabytes, autoscale: false);
        var leastAutoscale = StorageNeeds.MinThroughput(gigabytes, autoscale: true);
        var billed = Math.Max(throughput, least);
        var scaled = StorageNeeds.RoundUp(throughput, autoscale: true);
        var highest = Math.Max(scaled, leastAutoscale);
        double Autoscale(double used) => Math.Max(used, highest * MinAutoscaleShare) * PriceList.AutoscaleFactor
            * prices.RequestUnitPerSecondHour * Hours;
        var peakShare = peak?.HoursPerDay / DailyPeak.Hours;
        return new MonthCost
        {
            Currency = prices.Currency,
            Source = prices.Source,
            Throughput = billed,
            AutoscaleThroughput = highest,
            FixedThroughput = Math.Round(billed * prices.RequestUnitPerSecondHour * Hours, 2),
            AutoscaleBusy = Math.Round(Autoscale(scaled), 2),
            AutoscaleWithPeak = peakShare is { } share
                ? Math.Round((share * Autoscale(scaled)) + ((1 - share) * Autoscale(throughput * peak!.IdleShare)), 2)
                : null,
            Gigabytes = gigabytes,
            Storage = prices.StorageGigabyteMonth is { } price ? Math.Round(gigabytes * price, 2) : null,
            Compute = Math.Round(cores * prices.InstanceSecond * RunUsage.SecondsPerHour * Hours, 2),
        };
    }
}

/// <summary>
/// What a load into a container costs by itself, and what its container costs afterwards. Throughput is billed by the hour, for the highest
/// RU/s of each hour.
/// </summary>
internal sealed record LoadCost
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

    public static LoadCost From(PriceList prices, FleetSettings settings, int cores, long documents, TimeSpan within)
    {
        var hours = Math.Max(1, Math.Ceiling(within.TotalHours));
        return new LoadCost
        {
            Documents = documents,
            Rate = documents / within.TotalSeconds,
            Seconds = within.TotalSeconds,
            HoursBilled = hours,
            Partitions = settings.Partitions,
            Throughput = Math.Round(settings.Throughput * prices.RequestUnitPerSecondHour * hours, 2),
            Compute = Math.Round(settings.Workers * cores * prices.InstanceSecond * within.TotalSeconds, 2),
        };
    }
}
