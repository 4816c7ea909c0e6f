namespace ScaleOut.Sizing;

/// <summary>What a month has to pay for.</summary>
/// <param name="Cores">Of all workers together.</param>
/// <param name="Throughput">RU/s that the rate takes.</param>
/// <param name="Gigabytes">Documents that are kept.</param>
internal sealed record MonthNeed(int Cores, double Throughput, double Gigabytes)
{
    /// <summary>Without it, documents are only written, and spread evenly.</summary>
    public ThroughputUse Use { get; init; } = new();

    /// <summary>The fewest highest RU/s of autoscale, beside what the storage demands.</summary>
    public int LeastAutoscale { get; init; }
}

/// <summary>The bills of a container's throughput, fixed and with autoscale.</summary>
internal sealed class ThroughputBills(PriceList prices, MonthNeed need, AccountPlan plan)
{
    /// <summary>Smallest share of its highest throughput that autoscale is billed for.</summary>
    private const double MinAutoscaleShare = 0.1;

    /// <summary>Share of a partition's RU/s from which on it is taken to scale to its highest in some second of the hour.</summary>
    private const double FullShare = 0.999;

    private readonly double _scaled = StorageNeeds.RoundUp(need.Throughput, autoscale: true);

    public PriceList Prices => prices;

    public AccountPlan Plan => plan;

    public ThroughputUse Use => need.Use;

    /// <summary>Fixed RU/s that are billed.</summary>
    public double Billed { get; } = Math.Max(need.Throughput, StorageNeeds.MinThroughput(need.Gigabytes, autoscale: false));

    /// <summary>Highest RU/s of autoscale.</summary>
    public double Highest => Math.Max(
        _scaled, Math.Max(need.LeastAutoscale, StorageNeeds.MinThroughput(need.Gigabytes, autoscale: true)));

    public DailyBill Fixed => new([(DailyLoad.Hours, Billed * plan.Regions)], plan.UnitHour(prices));

    public DailyBill AutoscaleOf(DailyLoad load) => AutoscaleOf(load, OfPartition);

    /// <summary>The share of the hours' use up to which autoscale is cheaper than fixed throughput.</summary>
    public double BreakEvenOf(DailyLoad load)
    {
        const int Halvings = 20;
        var discount = plan.DiscountOf(prices);
        var full = Fixed.Hour(plan.FreeUnits, discount);
        if (CostAt(1) <= full)
            return 1;
        return Halving.Find(0, 1, Halvings, scale => CostAt(scale) < full) * load.AverageShare;

        // The busiest partition uses all that it has at the day's highest rate, and a share of it is looked for.
        double CostAt(double scale) => AutoscaleOf(
            load, share => Math.Max(scale * share * need.Throughput, Highest * MinAutoscaleShare) / need.Use.Loads.Count)
            .Hour(plan.FreeUnits, discount);
    }

    // Each partition and region is billed for what it scaled to (default of accounts since September 2024).
    private DailyBill AutoscaleOf(DailyLoad load, Func<double, double> ofPartition) => new(
        [
            .. load.Parts.Select(part => (part.Hours, need.Use.Loads.Sum(one =>
                ofPartition(part.Share * one) + ((plan.Regions - 1) * ofPartition(part.Share * one * need.Use.WriteShare))))),
        ],
        plan.AutoscaleUnitHour(prices));

    private double OfPartition(double share)
    {
        var (use, parts) = (need.Use, need.Use.Loads.Count);
        var used = use.OnPartitions is { } units ? parts * use.BusiestOf(share * units / use.Loads.Sum())
            : share >= FullShare ? _scaled : share * need.Throughput;
        return Math.Clamp(used, Highest * MinAutoscaleShare, Highest) / parts;
    }
}
