namespace ScaleOut.Tests.Shared.Costs;

public sealed class RunUsageTests
{
    /// <summary>
    /// The scheduler bills two actions for each task and one for each start; the orchestrators say how many tasks there are.
    /// </summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(4, 3)]
    [InlineData(60, 2)]
    [InlineData(3, 25)]
    public async Task SchedulerActions_OfAnyRun_AreThoseOfItsOrchestrators(int workers, int legsPerWorker)
    {
        var spec = new RunSpec
        {
            Id = "test",
            Documents = workers * legsPerWorker,
            Workers = workers,
            LegDuration = TimeSpan.FromSeconds(10),
        };
        var run = new ScriptedRun(leg => ScriptedLeg.Insert(leg, 1));
        await run.RunAsync(spec);

        var children = workers + run.Groups.Count;
        var actions = 1 + (2 * (run.ActivityCalls.Count + children)) + run.Continued.Count;

        Assert.Equal(actions, RunUsage.From(spec, 10 * legsPerWorker).SchedulerActions);
    }

    [Theory]
    [InlineData(10, false, 20_000)]
    [InlineData(3_601, false, 40_000)]
    [InlineData(10, true, 30_000)]
    public void ThroughputHours_OfTheRunsOwnContainer_AreThoseBegun(double seconds, bool autoscale, double expected) => Assert.Equal(
        expected, RunUsage.From(new RunSpec { Container = new() { Throughput = 20_000, Autoscale = autoscale } }, seconds).ThroughputHours);

    [Fact]
    public void ThroughputHours_OfANamedContainer_AreBilledAnyway() =>
        Assert.Equal(0, RunUsage.From(new RunSpec { Container = new() { Name = "mine" } }, 100).ThroughputHours);

    /// <summary>Instances wait for the last of them, which starts the later the more there are.</summary>
    [Theory]
    [InlineData(4, 60)]
    [InlineData(20, 60)]
    [InlineData(100, 140)]
    [InlineData(1_000, 300)]
    public void InstanceSeconds_OfManyWorkers_BeginWithALongerStart(int workers, double startSeconds) => Assert.Equal(
        (workers * (600 + startSeconds)) + 600, RunUsage.From(new RunSpec { Workers = workers }, 600).InstanceSeconds, precision: 6);

    [Fact]
    public void Cost_InstancesThatAreKeptWarm_ArePricedOrTheSumSaysThatTheyAreNot()
    {
        var spec = new RunSpec { Workers = 10 };
        var prices = new PriceList
        {
            Currency = "EUR", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00002,
            MillionExecutions = 1, MillionSchedulerActions = 1,
            TenThousandStorageWrites = 1, TenThousandStorageReads = 1, TenThousandQueueOperations = 1, TelemetryGigabyte = 1,
            AlwaysReadyInstances = 3, InstanceGigabytes = 2,
        };

        var without = RunCost.From(prices, [(spec, 600)]);
        var with = RunCost.From(prices with { AlwaysReadyGigabyteSecond = 0.00001 }, [(spec, 600)]);

        Assert.Equal(("In all without always-ready instances", "In all"), (without.SumText, with.SumText));
        Assert.Equal(3 * 2 * 600 * 0.00001, with.Amount - without.Amount, precision: 4);
    }

    [Fact]
    public void Cost_ItemWithoutAPrice_HasNoAmountAndIsNotInTheSum()
    {
        var prices = PriceList.Read(
            """{"currency": "EUR", "requestUnitPerSecondHour": 0.0001, "gigabyteSecond": 0.00002, "telemetryGigabyte": 2}""").Value!;
        var spec = new RunSpec { Workers = 10, Container = new() { Throughput = 20_000 } };

        var cost = RunCost.From(prices, [(spec, 600), (spec, 600)]);

        Assert.Equal(2 * 20_000 * 0.0001, cost.Items[0].Amount!.Value, precision: 4);
        Assert.Equal(2 * cost.Items[^1].Quantity, cost.Items[^1].Amount!.Value, precision: 4);
        Assert.Equal(2 * ((10 * 660) + 600) * 2, cost.Items[1].Quantity);
        Assert.Null(cost.Items.Single(item => item.Name == "Scheduler actions").Amount);
        Assert.Equal("Scheduler actions", cost.Without[1]);
        Assert.Equal("In all without 5 items", cost.SumText);
        Assert.Equal(cost.Items.Sum(item => item.Amount ?? 0), cost.Amount, precision: 4);
        Assert.All(cost.Items, item => Assert.True(item.Quantity > 0, item.Name));
    }
}
