using ScaleOut.DevBox.Sizing;

namespace ScaleOut.Tests.DevBox.Sizing;

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
        var cost = MonthCost.From(Prices, cores: 2, 10_000, gigabytes: 1);
        Assert.Equal((730, 1_095), (cost.FixedThroughput, cost.AutoscaleBusy));
        Assert.Equal((0.25, 105.12, 2 / 3.0), (cost.Storage, cost.Compute, cost.BreakEven));
        Assert.Equal(730 + 0.25 + 105.12, cost.Total, 6);
        Assert.Equal((ThroughputPurchase.Fixed, (double?)null), (cost.Cheapest, cost.AutoscaleWithPeak));
    }

    /// <summary>A third of the day at 10,000 RU/s and the rest at a tenth or at what its rate takes, each 1.5 times as dear.</summary>
    [Theory]
    [InlineData(0.0, 1_000)]
    [InlineData(0.5, 5_000)]
    public void From_Peak_IsTheAutoscaleOfItsHours(double idleShare, double idleUnits)
    {
        var cost = MonthCost.From(Prices, cores: 0, 9_950, gigabytes: 0, DailyLoad.OfPeak(8, idleShare));
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
        var cost = MonthCost.From(Prices, cores: 0, 500, gigabytes: 2_000);
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
            [("fixed, reserved for three years", 51.1), ("fixed, reserved for a year", 58.4), ("fixed", 73), ("autoscale", 109.5),
                ("serverless", 657)],
            cost.Offers.Select(one => (one.Name, one.Amount)));
        AssertText.Has(cost.Offers[1].PaysOff, "9.6 of 12 months");
        // 73 buy 292 million RU.
        AssertText.Has(cost.Offers[4].PaysOff, "below a mean of 111 RU/s");
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
        MonthCost.From(Prices, cores: 0, throughput, gigabytes, day, plan, use);
}
