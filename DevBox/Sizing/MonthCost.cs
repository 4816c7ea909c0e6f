namespace ScaleOut.DevBox.Sizing;

/// <summary>A way to buy RU/s.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ThroughputPurchase>))]
internal enum ThroughputPurchase
{
    Fixed,

    /// <summary>Autoscale that is at its rate in every hour.</summary>
    Autoscale,

    /// <summary>Autoscale that follows the rates of the day.</summary>
    AutoscaleWithPeak,
}

/// <summary>What a fleet and its container cost in a month, at the prices of a price file.</summary>
internal sealed record MonthCost
{
    /// <summary>Hours of a month, as Azure's price lists count them.</summary>
    public const double Hours = 730;

    /// <summary>Smallest share of its highest throughput that autoscale is billed for.</summary>
    private const double MinAutoscaleShare = 0.1;

    /// <summary>Share of a partition's RU/s from which on it is taken to scale to its highest in some second of the hour.</summary>
    private const double FullShare = 0.999;

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

    /// <param name="throughput">RU/s that the rate takes.</param>
    /// <param name="gigabytes">Documents that are kept.</param>
    /// <param name="day">Null if the rate lasts all day.</param>
    /// <param name="cores">Cores of all workers together.</param>
    /// <param name="plan">Null for one region, without a reservation.</param>
    /// <param name="use">Null for documents that are only written, and spread evenly.</param>
    /// <param name="leastAutoscale">The fewest highest RU/s of autoscale, beside what the storage demands.</param>
    public static MonthCost From(
        PriceList prices, int cores, double throughput, double gigabytes, DailyLoad? day = null, AccountPlan? plan = null,
        ThroughputUse? use = null, int leastAutoscale = 0)
    {
        (plan, use) = (plan ?? new AccountPlan(), use ?? new ThroughputUse());
        var least = StorageNeeds.MinThroughput(gigabytes, autoscale: false);
        var billed = Math.Max(throughput, least);
        var scaled = StorageNeeds.RoundUp(throughput, autoscale: true);
        var highest = Math.Max(scaled, Math.Max(leastAutoscale, StorageNeeds.MinThroughput(gigabytes, autoscale: true)));
        DailyLoad always = new([new(DailyLoad.Hours, 1)]);
        var asFixed = new DailyBill([(DailyLoad.Hours, billed * plan.Regions)], plan.UnitHour(prices));
        var (busy, daily) = (AutoscaleOf(always, OfPartition), day is null ? null : AutoscaleOf(day, OfPartition));
        var discount = plan.DiscountOf(prices);
        var month = new MonthCost
        {
            Currency = prices.Currency,
            Source = prices.Source,
            Throughput = billed,
            AutoscaleThroughput = highest,
            FixedThroughput = asFixed.Month(plan.FreeUnits, discount),
            AutoscaleBusy = busy.Month(plan.FreeUnits, discount),
            AutoscaleWithPeak = daily?.Month(plan.FreeUnits, discount),
            BreakEven = BreakEvenOf(day ?? always),
            Gigabytes = gigabytes,
            Regions = plan.Regions,
            FreeUnits = plan.FreeUnits,
            Storage = prices.StorageGigabyteMonth is { } price
                ? Math.Round(Math.Max(0, (gigabytes * plan.Regions) - plan.FreeGigabytes) * price, 2)
                : null,
            Compute = Math.Round(cores * prices.InstanceSecond * RunUsage.SecondsPerHour * Hours, 2),
        };
        return month with { Offers = ThroughputOffer.From(prices, plan, use, asFixed, daily ?? busy, (day ?? always).AverageShare, month) };

        // Each partition and region is billed for what it scaled to (default of accounts since September 2024).
        DailyBill AutoscaleOf(DailyLoad load, Func<double, double> ofPartition) => new(
            [
                .. load.Parts.Select(part => (part.Hours, use.Loads.Sum(one =>
                    ofPartition(part.Share * one) + ((plan.Regions - 1) * ofPartition(part.Share * one * use.WriteShare))))),
            ],
            plan.AutoscaleUnitHour(prices));

        double OfPartition(double share)
        {
            var parts = use.Loads.Count;
            var used = use.OnPartitions is { } units ? parts * use.BusiestOf(share * units / use.Loads.Sum())
                : share >= FullShare ? scaled : share * throughput;
            return Math.Clamp(used, highest * MinAutoscaleShare, highest) / parts;
        }

        // The busiest partition uses all that it has at the day's highest rate, and a share of it is looked for.
        double BreakEvenOf(DailyLoad load)
        {
            const int Halvings = 20;
            var full = asFixed.Hour(plan.FreeUnits, discount);
            if (CostAt(1) <= full)
                return 1;
            var (low, high) = (0.0, 1.0);
            for (var i = 0; i < Halvings; i++)
            {
                var middle = (low + high) / 2;
                (low, high) = CostAt(middle) < full ? (middle, high) : (low, middle);
            }

            return low * load.AverageShare;

            double CostAt(double scale) => AutoscaleOf(
                load, share => Math.Max(scale * share * throughput, highest * MinAutoscaleShare) / use.Loads.Count)
                .Hour(plan.FreeUnits, discount);
        }
    }
}
