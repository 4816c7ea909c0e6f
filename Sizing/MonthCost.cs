namespace ScaleOut.Sizing;

/// <summary>A way to buy RU/s.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ThroughputPurchase>))]
public enum ThroughputPurchase
{
    Fixed,

    /// <summary>Autoscale that is at its rate in every hour.</summary>
    Autoscale,

    /// <summary>Autoscale that follows the rates of the day.</summary>
    AutoscaleWithPeak,
}

/// <summary>What a fleet and its container cost in a month, at the prices of a price file.</summary>
public sealed record MonthCost
{
    /// <summary>Hours of a month, as Azure's price lists count them.</summary>
    public const double Hours = 730;

    public required string Currency { get; init; }

    public required string? Source { get; init; }

    /// <summary>
    /// RU/s that fixed throughput is billed for in each region: those of the container, or more if its storage demands it.
    /// </summary>
    public required double Throughput { get; init; }

    /// <summary>Highest RU/s of autoscale: those of the container in steps of 1,000, or more if its storage demands it.</summary>
    public required double AutoscaleThroughput { get; init; }

    public required double FixedThroughput { get; init; }

    /// <summary>Cost of autoscale throughput that is at the rate in every hour.</summary>
    public required double AutoscaleBusy { get; init; }

    /// <summary>Cost of autoscale throughput that follows the rates of the day; null if they are the same all day.</summary>
    public required double? AutoscaleWithPeak { get; init; }

    /// <summary>Cost of the documents' storage, without their index; null if storage has no price.</summary>
    public required double? Storage { get; init; }

    /// <summary>Gigabytes of documents in each region, without their index.</summary>
    public required double Gigabytes { get; init; }

    /// <summary>Regions that have the RU/s and the documents.</summary>
    public int Regions { get; init; } = 1;

    /// <summary>RU/s of all regions together that are not billed.</summary>
    public double FreeUnits { get; init; }

    /// <summary>Cost of the workers, if they run all the time.</summary>
    public required double Compute { get; init; }

    /// <summary>Every way to buy the throughput that has a price, the cheapest first of those that can be had.</summary>
    public IReadOnlyList<ThroughputOffer> Offers { get; init; } = [];

    /// <summary>The cheapest way to buy the throughput as RU/s.</summary>
    public ThroughputPurchase Cheapest => AutoscaleWithPeak < Math.Min(FixedThroughput, AutoscaleBusy)
        ? ThroughputPurchase.AutoscaleWithPeak
        : AutoscaleBusy < FixedThroughput ? ThroughputPurchase.Autoscale : ThroughputPurchase.Fixed;

    /// <summary>The sum with the throughput bought in its cheapest way; storage is left out if it has no price.</summary>
    public double Total => CheapestThroughput + (Storage ?? 0) + Compute;

    /// <summary>
    /// Share of the RU/s below which autoscale is cheaper, on average over the hours of such a day; 1 if it never costs more, and 0 if it
    /// never costs less.
    /// </summary>
    public required double BreakEven { get; init; }

    /// <summary>Cost of the throughput bought in its cheapest way.</summary>
    internal double CheapestThroughput => Math.Min(Math.Min(FixedThroughput, AutoscaleBusy), AutoscaleWithPeak ?? double.PositiveInfinity);

    /// <param name="day">Null if the rate lasts all day.</param>
    /// <param name="plan">Null for one region, without a reservation.</param>
    internal static MonthCost From(PriceList prices, MonthNeed need, DailyLoad? day = null, AccountPlan? plan = null)
    {
        plan ??= new AccountPlan();
        var bills = new ThroughputBills(prices, need, plan);
        DailyLoad always = new([new(DailyLoad.Hours, 1)]);
        var (busy, daily) = (bills.AutoscaleOf(always), day is null ? null : bills.AutoscaleOf(day));
        var discount = plan.DiscountOf(prices);
        var month = new MonthCost
        {
            Currency = prices.Currency,
            Source = prices.Source,
            Throughput = bills.Billed,
            AutoscaleThroughput = bills.Highest,
            FixedThroughput = bills.Fixed.Month(plan.FreeUnits, discount),
            AutoscaleBusy = busy.Month(plan.FreeUnits, discount),
            AutoscaleWithPeak = daily?.Month(plan.FreeUnits, discount),
            BreakEven = bills.BreakEvenOf(day ?? always),
            Gigabytes = need.Gigabytes,
            Regions = plan.Regions,
            FreeUnits = plan.FreeUnits,
            Storage = prices.StorageGigabyteMonth is { } price
                ? Math.Round(Math.Max(0, (need.Gigabytes * plan.Regions) - plan.FreeGigabytes) * price, 2)
                : null,
            Compute = Math.Round(need.Cores * prices.InstanceSecond * RunUsage.SecondsPerHour * Hours, 2),
        };
        return month with { Offers = ThroughputOffer.From(bills, daily ?? busy, (day ?? always).AverageShare, month) };
    }
}
