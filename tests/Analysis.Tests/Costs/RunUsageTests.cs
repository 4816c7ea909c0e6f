namespace ScaleOut.Tests.Analysis.Costs;

public sealed class RunUsageTests
{
    /// <summary>The scheduler bills two actions for each task and one for each start. The orchestrators decide how many tasks.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(4, 3)]
    [InlineData(60, 2)]
    [InlineData(3, 25)]
    public async Task SchedulerActions_OfAnyRun_AreThoseOfItsOrchestrators(int workers, int legsPerWorker)
    {
        var spec = new RunSpec
        {
            Id = "test", Documents = workers * legsPerWorker, Workers = workers, LegDuration = TimeSpan.FromSeconds(10),
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
    public void ThroughputHours_OfTheRunsOwnContainer_CountBegunHours(double seconds, bool autoscale, double expected) => Assert.Equal(
        expected, RunUsage.From(new RunSpec { Container = new() { Throughput = 20_000, Autoscale = autoscale } }, seconds).ThroughputHours);

    /// <summary>The run does not make what is billed.</summary>
    [Theory]
    [InlineData("mine", false)]
    [InlineData(null, true)]
    public void ThroughputHours_OfANamedContainerOrASharedDatabase_AreZero(string? name, bool shared)
    {
        var spec = new RunSpec { Container = new() { Name = name, SharedThroughput = shared } };
        var prices = new PriceList { Currency = "USD", RequestUnitPerSecondHour = 1, GigabyteSecond = 0 };
        Assert.Equal(0, RunUsage.From(spec, 100).ThroughputHours);
        Assert.Null(RunCost.StorePerMillionAt(prices, spec, 500));
    }

    [Theory]
    [InlineData(WorkloadKind.TableBatch, 0, 11, 0.00036 / 1e4 / 100 * 1e6)]
    [InlineData(WorkloadKind.Batch, 60_000, 0, 60_000 * 0.00008 / 3_600 / 500 * 1e6)]
    public void Cost_OfTables_IsThatOfTheirTransactions(WorkloadKind kind, double throughputHours, double transactions, double perMillion)
    {
        var spec = new RunSpec { Documents = 1_001, Workload = new() { Kind = kind } };
        var usage = RunUsage.From(spec, 10);
        var prices = new PriceList
        {
            Currency = "USD", RequestUnitPerSecondHour = 0.00008, GigabyteSecond = 0, TenThousandTableTransactions = 0.00036,
        };

        Assert.Equal((throughputHours, transactions), (usage.ThroughputHours, usage.TableTransactions));
        Assert.Equal(perMillion, RunCost.StorePerMillionAt(prices, spec, 500)!.Value, precision: 9);
        var million = RunCost.From(prices, [(spec with { Documents = 1_000_000_000 }, 10)]);
        Assert.Equal(
            transactions > 0 ? 0.36 : null, million.Items.SingleOrDefault(item => item.Name == "Table transactions")?.Amount);
    }

    [Fact]
    public void StorePerMillion_OfAnExistingContainerOrWithoutARate_IsNotKnown()
    {
        var prices = new PriceList { Currency = "USD", RequestUnitPerSecondHour = 1, GigabyteSecond = 0 };
        Assert.Null(RunCost.StorePerMillionAt(prices, new RunSpec { Container = new() { Name = "mine" } }, 500));
        Assert.Null(RunCost.StorePerMillionAt(prices, new RunSpec(), null));
        Assert.Null(RunCost.StorePerMillionAt(prices, new RunSpec { Workload = new() { Kind = WorkloadKind.TableBatch } }, 500));
    }

    /// <summary>All instances wait for the last one to start, and more instances take longer.</summary>
    [Theory]
    [InlineData(4, 60)]
    [InlineData(20, 60)]
    [InlineData(100, 140)]
    [InlineData(1_000, 300)]
    public void InstanceSeconds_OfManyWorkers_BeginWithALongerStart(int workers, double startSeconds) => Assert.Equal(
        (workers * (600 + startSeconds)) + 600, RunUsage.From(new RunSpec { Workers = workers }, 600).InstanceSeconds, precision: 6);

    /// <summary>Slow operations are reported one by one, up to a number per second that is the same for every number of workers.</summary>
    [Theory]
    [InlineData(1_000, 1_000)]
    [InlineData(1_000_000_000, 50 * 600)]
    public void TelemetryGigabytes_LongerRun_HaveTheRecordsOfSlowOperations(long documents, double records)
    {
        var spec = new RunSpec { Documents = documents, Workers = 20, LegDuration = TimeSpan.FromHours(1) };
        var none = RunUsage.From(spec, 0).TelemetryGigabytes;
        var messages = 20 * 600 / ProgressInterval.For(20).TotalSeconds;

        var slow = RunUsage.From(spec, 600).TelemetryGigabytes - none;

        Assert.Equal(((messages * (2_000 + (1_000 * RunEstimate.PartitionsOf(spec)))) + (records * 1_000)) / 1e9, slow, precision: 9);
    }

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

        Assert.Equal(("in all without always-ready instances", "in all"), (without.SumText, with.SumText));
        Assert.Equal(3 * 2 * 600 * 0.00001, with.Amount - without.Amount, precision: 4);
    }

    /// <summary>Three of ten workers have an instance that is kept warm, at another price; never more of them than there are.</summary>
    [Theory]
    [InlineData(3, 0.3)]
    [InlineData(20, 1)]
    public void Cost_InstancesThatAreKeptWarm_WorkAtAPriceOfTheirOwn(int ready, double share)
    {
        var spec = new RunSpec { Workers = 10 };
        var prices = new PriceList
        {
            Currency = "EUR", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00002, AlwaysReadyInstances = ready,
            AlwaysReadyWorkGigabyteSecond = 0.00001,
        };
        var gigabyteSeconds = RunUsage.From(spec, 600).InstanceSeconds * prices.InstanceGigabytes;

        var items = RunCost.From(prices, [(spec, 600)]).Items.ToDictionary(item => item.Name);

        Assert.Equal((1 - share) * gigabyteSeconds, items["Instances"].Quantity, precision: 3);
        Assert.Equal(share * gigabyteSeconds * 0.00001, items["Always-ready instances at work"].Amount!.Value, precision: 4);
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
        Assert.Equal("in all without 5 items", cost.SumText);
        Assert.Equal(cost.Items.Sum(item => item.Amount ?? 0), cost.Amount, precision: 4);
        Assert.All(cost.Items, item => Assert.True(item.Quantity > 0, item.Name));
    }
}
