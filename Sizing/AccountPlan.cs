namespace ScaleOut.Sizing;

/// <summary>For how long throughput is reserved.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<Reservation>))]
public enum Reservation
{
    None,
    OneYear,
    ThreeYears,
}

/// <summary>
/// How an account is bought. Sources: Azure Cosmos DB documentation, "Optimize cost for multi-region deployments" (each region has all RU/s
/// and all storage), "Free tier" (1,000 RU/s and 25 GB of one account of a subscription), "Reserved capacity".
/// </summary>
public sealed record AccountPlan
{
    public const int MaxRegions = 50;

    private const double FreeTierUnits = 1_000;
    private const double FreeTierGigabytes = 25;

    public int WriteRegions { get; init; } = 1;

    /// <summary>Regions beside those that are written.</summary>
    public int ReadRegions { get; init; }

    public bool IsFreeTier { get; init; }

    public Reservation Reserved { get; init; }

    public int Regions => WriteRegions + ReadRegions;

    /// <summary>RU/s that are not billed.</summary>
    internal double FreeUnits => IsFreeTier ? FreeTierUnits : 0;

    /// <summary>Gigabytes that are not billed.</summary>
    internal double FreeGigabytes => IsFreeTier ? FreeTierGigabytes : 0;

    /// <summary>Price of one RU/s in a region for an hour.</summary>
    public double UnitHour(PriceList prices) =>
        WriteRegions > 1 ? prices.MultipleWritesUnitHour ?? prices.RequestUnitPerSecondHour : prices.RequestUnitPerSecondHour;

    /// <summary>The same with autoscale, which costs no more than fixed throughput where several regions are written.</summary>
    public double AutoscaleUnitHour(PriceList prices) => UnitHour(prices) * (WriteRegions > 1 ? 1 : PriceList.AutoscaleFactor);

    /// <summary>Price of throughput that is used up for an hour, in all regions and without a reservation.</summary>
    public double HourOf(double throughput, PriceList prices, bool autoscale) =>
        Math.Max(0, (throughput * Regions) - FreeUnits) * (autoscale ? AutoscaleUnitHour(prices) : UnitHour(prices));

    /// <summary>What the plan's reservation takes off the price, as a share.</summary>
    public double DiscountOf(PriceList prices) => DiscountOf(Reserved, prices) ?? 0;

    /// <summary>What a reservation takes off the price, as a share. Null if the prices do not say it.</summary>
    public static double? DiscountOf(Reservation reserved, PriceList prices) => reserved switch
    {
        Reservation.OneYear => prices.ReservedYearDiscount,
        Reservation.ThreeYears => prices.ReservedThreeYearsDiscount,
        _ => 0,
    };
}

/// <summary>How a rate uses a container's throughput.</summary>
internal sealed record ThroughputUse
{
    /// <summary>What each partition has to do, as a share of the busiest one's.</summary>
    public IReadOnlyList<double> Loads { get; init; } = [1];

    /// <summary>Share of the RU that writes use, which every region does. The rest is done in one region.</summary>
    public double WriteShare { get; init; } = 1;

    /// <summary>RU/s that the rate uses on the partitions of a serverless container; null if they are not known.</summary>
    public double? Used { get; init; }

    /// <summary>RU/s that the rate uses on the container's partitions; null if they are all that it has.</summary>
    public double? OnPartitions { get; init; }

    /// <summary>RU of an operation, weighted by what each takes; 0 if operations come at even distances.</summary>
    public double RandomUnits { get; init; }

    /// <summary>Why the load cannot be had without provisioned RU/s; null if it can.</summary>
    public string? WhyNotServerless { get; init; }

    /// <summary>Standard deviations by which one second in 3,600 is above the mean, if operations come at random.</summary>
    private const double BusiestSecond = 3.45;

    /// <summary>RU/s of the busiest second of an hour, for which autoscale is billed.</summary>
    /// <param name="units">Mean RU/s of the hour.</param>
    public double BusiestOf(double units) => units + (BusiestSecond * Math.Sqrt(units * RandomUnits));
}

/// <summary>RU/s that are billed in the hours of a day, over all regions.</summary>
/// <param name="UnitHour">Price of one of them for an hour.</param>
internal sealed record DailyBill(IReadOnlyList<(double Hours, double Units)> Parts, double UnitHour)
{
    /// <summary>The cost of a month. As many RU/s are reserved as cost least, and are paid for in every hour.</summary>
    /// <inheritdoc cref="Split"/>
    public double Month(double free, double discount) => Math.Round(Hour(free, discount) * MonthCost.Hours, 2);

    /// <summary>The mean cost of an hour.</summary>
    /// <inheritdoc cref="Split"/>
    public double Hour(double free, double discount)
    {
        var (reserved, beyond) = Split(free, discount);
        return ((reserved * (1 - discount)) + beyond) * UnitHour;
    }

    /// <summary>The RU/s that are reserved, because that costs least, and the mean of those that are billed beyond them.</summary>
    /// <param name="free">RU/s that cost nothing.</param>
    /// <param name="discount">What a reservation takes off the price, as a share.</param>
    public (double Reserved, double Beyond) Split(double free, double discount)
    {
        var billed = Parts.Select(part => (part.Hours, Units: Math.Max(0, part.Units - free))).ToList();
        double BeyondOf(double reserved) => billed.Sum(part => part.Hours * Math.Max(0, part.Units - reserved)) / DailyLoad.Hours;
        var least = billed.Select(part => part.Units).Append(0).MinBy(reserved => (reserved * (1 - discount)) + BeyondOf(reserved));
        return (least, BeyondOf(least));
    }
}
