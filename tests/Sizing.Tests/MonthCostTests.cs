namespace ScaleOut.Tests.Sizing;

/// <summary>Bills of a month that can be checked by hand.</summary>
public sealed class MonthCostTests
{
    /// <summary>A RU/s costs 0.0001 an hour, and so 10,000 of them 730 a month.</summary>
    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
        MultipleWritesUnitHour = 0.0002, ReservedYearDiscount = 0.2, ReservedThreeYearsDiscount = 0.3, MillionServerlessRequestUnits = 0.25,
    };

    /// <summary>10,000 RU/s for 730 hours, and 1 GB for a month.</summary>
    [Fact]
    public void From_AMonth_CanBeCheckedByHand()
    {
        var cost = MonthCost.From(Prices, new(Cores: 2, 10_000, Gigabytes: 1));
        Assert.Equal((730, 1_095), (cost.FixedThroughput, cost.AutoscaleBusy));
        Assert.Equal((0.25, 105.12), (cost.Storage, cost.Compute));
        Assert.Equal(2 / 3.0, cost.BreakEven, tolerance: 1e-5);
        Assert.Equal(730 + 0.25 + 105.12, cost.Total, 6);
        Assert.Equal((ThroughputPurchase.Fixed, (double?)null), (cost.Cheapest, cost.AutoscaleWithPeak));
    }

    /// <summary>A third of the day at 10,000 RU/s and the rest at a tenth or at what its rate takes, each 1.5 times as dear.</summary>
    [Theory]
    [InlineData(0.0, 1_000)]
    [InlineData(0.5, 5_000)]
    public void From_Peak_IsTheAutoscaleOfItsHours(double idleShare, double idleUnits)
    {
        var cost = MonthCost.From(Prices, new(Cores: 0, 9_950, Gigabytes: 0), DailyLoad.OfPeak(8, idleShare));
        var idle = idleShare > 0 ? idleUnits * 0.995 : idleUnits;
        var expected = 730 * 1.5 * 0.0001 * ((10_000 / 3.0) + (idle * 2 / 3));
        Assert.Equal(expected, cost.AutoscaleWithPeak!.Value, 0.01);
        Assert.Equal(10_000, cost.AutoscaleThroughput);
        Assert.Equal(expected < 730 * 0.995 ? ThroughputPurchase.AutoscaleWithPeak : ThroughputPurchase.Fixed, cost.Cheapest);
    }

    /// <summary>2,000 GB demand 2,000 fixed RU/s, and 20,000 as the highest of autoscale, which is billed for at least 2,000.</summary>
    [Fact]
    public void From_MuchStorage_IsBilledForTheRequestUnitsThatItDemands()
    {
        var cost = MonthCost.From(Prices, new(Cores: 0, 500, Gigabytes: 2_000));
        Assert.Equal((2_000, 20_000), (cost.Throughput, cost.AutoscaleThroughput));
        Assert.Equal((146, 219, 500), (cost.FixedThroughput, cost.AutoscaleBusy, cost.Storage));
    }

    /// <summary>Each region has all RU/s and documents. Where several are written, autoscale is not dearer.</summary>
    [Theory]
    [InlineData(1, 0, 730, 1_095, 25)]
    [InlineData(1, 2, 3 * 730, 3 * 1_095, 75)]
    [InlineData(2, 0, 2 * 1_460, 2 * 1_460, 50)]
    public void From_Regions_BillsEachOfThem(int written, int read, double expectedFixed, double expectedAutoscale, double expectedStorage)
    {
        var cost = Bill(10_000, 100, plan: new() { WriteRegions = written, ReadRegions = read });
        Assert.Equal((expectedFixed, expectedAutoscale, expectedStorage), (cost.FixedThroughput, cost.AutoscaleBusy, cost.Storage));
    }

    /// <summary>1,000 RU/s and 25 GB are free, of all regions together.</summary>
    [Theory]
    [InlineData(1_000, 20, 0, 0)]
    [InlineData(3_000, 125, 146, 25)]
    public void From_FreeTier_BillsTheRest(double throughput, double gigabytes, double expected, double storage)
    {
        var cost = Bill(throughput, gigabytes, plan: new() { IsFreeTier = true });
        Assert.Equal((expected, storage), (cost.FixedThroughput, cost.Storage));
    }

    /// <summary>
    /// A container of 1,000 RU/s whose second partition has 40% to do, and a region that is not read: a partition that has less than 50
    /// RU/s to do is billed for these. Source: Azure Cosmos DB documentation, "Dynamic scaling".
    /// </summary>
    [Fact]
    public void From_Autoscale_BillsEachPartitionAndRegionByItsOwnUse()
    {
        var cost = Bill(
            1_000, 0, plan: new() { ReadRegions = 1 }, use: new() { Loads = [1, 0.4], WriteShare = 0.2 });
        Assert.Equal((500 + 200 + 100 + 50) * 1.5 * 0.073, cost.AutoscaleBusy, tolerance: 0.01);
        Assert.Equal(2_000 * 0.073, cost.FixedThroughput, 2);
    }

    /// <summary>Of 10,000 RU/s for 6 hours and 4,000 else, the 4,000 are worth a reservation and the others are not.</summary>
    [Fact]
    public void From_Reservation_ReservesWhatEveryHourUses()
    {
        var cost = Bill(10_000, 0, DailyLoad.OfPeak(6, 0.4), new() { Reserved = Reservation.OneYear });
        Assert.Equal(0.8 * 730, cost.FixedThroughput, 2);
        Assert.Equal(1.5 * 0.073 * ((0.8 * 4_000) + (0.25 * 6_000)), cost.AutoscaleWithPeak!.Value, 2);
    }

    /// <summary>A month has 2,628,000 seconds. A thousand RU/s are 2,628 million RU, 657 at 0.25.</summary>
    [Fact]
    public void Offers_Throughput_HaveTheirPriceAndWhenTheyAreWorthIt()
    {
        var cost = Bill(1_000, 0, use: new() { Used = 1_000 });
        Assert.Equal(
            [("fixed, reserved for three years", 51.1), ("fixed, reserved for a year", 58.4), ("fixed", 73),
                ("autoscale, reserved for three years", 76.65), ("autoscale, reserved for a year", 87.6), ("autoscale", 109.5),
                ("serverless", 657)],
            cost.Offers.Select(one => (one.Name, one.Amount)));
        AssertText.Has(cost.Offers[1].PaysOff, "9.6 of 12 months");
        // 73 buy 292 million RU.
        AssertText.Has(cost.Offers[^1].PaysOff, "below a mean of 111 RU/s");
    }

    /// <summary>
    /// Of 10,000 RU/s, 15 hours use all and 9 a tenth: 1.5 x (15 x 10,000 + 9 x 1,000) / 24 RU/s are 725.44 of 730. Without 30% the fixed
    /// ones are 511, and 36 x 7,000 / 9,937.5 = 25.4 months of them.
    /// </summary>
    [Fact]
    public void Offers_Reservations_AreOfBothKindsWhicheverIsCheaperWithout()
    {
        var cost = Bill(10_000, 0, DailyLoad.OfPeak(15, 0));
        var reserved = cost.Offers.Single(one => one.Name == "fixed, reserved for three years");
        Assert.Equal((725.44, 511), (cost.AutoscaleWithPeak!.Value, reserved.Amount));
        Assert.Equal(cost.Offers[0], reserved);
        AssertText.Has(reserved.PaysOff, "25.4 of 36 months");
    }

    /// <summary>Of 10,000 RU/s for 6 hours and 4,000 else, 4,000 are reserved: 12 x 0.8 x 4,000 / (5,500 - 1,500) months.</summary>
    [Fact]
    public void Offers_PartThatIsReserved_IsWorthItByWhatItSaves()
    {
        var cost = Bill(10_000, 0, DailyLoad.OfPeak(6, 0.4));
        var reserved = cost.Offers.Single(one => one.Name == "autoscale, reserved for a year");
        Assert.Equal(1.5 * 0.073 * ((0.8 * 4_000) + 1_500), reserved.Amount, 2);
        AssertText.Has(reserved.PaysOff, "9.6 of 12 months");
    }

    /// <summary>
    /// Two thirds of any RU/s, also of those that autoscale rounds up; 1.5 x (2,000 x 5/6 - 1,000) are the 1,000 beyond the free ones.
    /// Regions that are only read have a tenth. A day of 8 hours costs at most (8 + 1.6) / 24 x 1.5 of the RU/s.
    /// </summary>
    [Theory]
    [InlineData(1_100, false, 0, 24, 2 / 3.0)]
    [InlineData(2_000, true, 0, 24, 5 / 6.0)]
    [InlineData(2_000, false, 2, 24, 1.0)]
    [InlineData(10_000, false, 0, 8, 1.0)]
    [InlineData(1_000, true, 0, 24, 1.0)]
    public void BreakEven_Plan_IsWhereBothBillsAreEqual(double throughput, bool isFree, int readRegions, double hours, double expected)
    {
        var cost = Bill(
            throughput, 0, hours < 24 ? DailyLoad.OfPeak(hours, 0) : null, new() { IsFreeTier = isFree, ReadRegions = readRegions },
            new() { WriteShare = 0 });
        Assert.Equal(expected, cost.BreakEven, tolerance: 1e-5);
    }

    /// <summary>2,000 GB demand 20,000 as the highest of autoscale, so that its least is 2,000, what fixed throughput has.</summary>
    [Fact]
    public void BreakEven_MuchStorage_IsNever() => Assert.Equal(0, Bill(500, 2_000).BreakEven, tolerance: 1e-5);

    /// <summary>
    /// 19 RU/s of a container of 1,000 are billed for a tenth of it. 5,000 RU/s at even distances are billed for themselves, and in
    /// operations of 10 RU for a second that is 3.45 roots of 50,000 above them. No more is billed than the highest.
    /// </summary>
    [Theory]
    [InlineData(1_000, 19, 6.3, 100)]
    [InlineData(10_000, 5_000, 0, 5_000)]
    [InlineData(10_000, 5_000, 10, 5_771.4)]
    [InlineData(10_000, 9_900, 10, 10_000)]
    [InlineData(9_100, 9_050, 10, 10_000)]
    public void From_UseBelowTheThroughput_BillsAutoscaleByTheUse(double throughput, double used, double each, double billed)
    {
        var cost = Bill(throughput, 0, use: new() { OnPartitions = used, RandomUnits = each });
        Assert.Equal(billed * 1.5 * 0.073, cost.AutoscaleBusy, tolerance: 0.01);
    }

    /// <summary>The second of two partitions has half as much to do. Each is billed for at least a twentieth of the 10,000 RU/s.</summary>
    [Fact]
    public void From_UseOfSeveralPartitions_BillsEachByItsOwn()
    {
        var cost = Bill(10_000, 0, use: new() { OnPartitions = 600, Loads = [1, 0.5] });
        Assert.Equal((500 + 500) * 1.5 * 0.073, cost.AutoscaleBusy, tolerance: 0.01);
        cost = Bill(10_000, 0, use: new() { OnPartitions = 3_000, Loads = [1, 0.5] });
        Assert.Equal((2_000 + 1_000) * 1.5 * 0.073, cost.AutoscaleBusy, tolerance: 0.01);
    }

    /// <summary>Of 4,000 RU/s in two regions for three hours, 1,000 are free.</summary>
    [Fact]
    public void Load_FreeTierInTwoRegions_BillsTheRest()
    {
        var settings = new FleetSettings(ConnectionMode.Direct, Bulk: false, Workers: 1, Concurrency: 1, Throughput: 4_000, Partitions: 1);
        var load = LoadCost.From(
            Prices, settings, cores: 1, new(1_000, TimeSpan.FromHours(2.5)), new() { IsFreeTier = true, ReadRegions = 1 });
        Assert.Equal(7_000 * 0.0001 * 3, load.Throughput, 2);
    }

    [Fact]
    public void Offers_ServerlessThatCannotBeHad_AreLastAndSayWhy()
    {
        var cost = Bill(1_000, 0, plan: new() { ReadRegions = 1 }, use: new() { Used = 1 });
        Assert.Equal(("serverless", "a serverless account has one region"), (cost.Offers[^1].Name, cost.Offers[^1].WhyNot));
    }

    /// <summary>10 of 24 hours at the rate and 14 at a half are 17 hours; of a day and a half, the busiest 12 hours have all ten.</summary>
    [Fact]
    public void MostHoursIn_PartOfADay_IsItsBusiestStretch()
    {
        double[] rates = [.. Enumerable.Range(0, 24).Select(hour => hour is < 4 or >= 18 ? 200.0 : 100)];
        var day = DailyLoad.OfHours(rates);
        Assert.Equal(17 / 24.0, day.AverageShare, 9);
        Assert.Equal(17 + 10 + 1, day.MostHoursIn(1.5), 9);
        Assert.Equal(34, day.MostHoursIn(2), 9);
    }

    private static MonthCost Bill(
        double throughput, double gigabytes, DailyLoad? day = null, AccountPlan? plan = null, ThroughputUse? use = null) =>
        MonthCost.From(Prices, new(Cores: 0, throughput, gigabytes) { Use = use ?? new() }, day, plan);
}
