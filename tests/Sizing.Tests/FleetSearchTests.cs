using ScaleOut.Bench.Size;

namespace ScaleOut.Tests.Sizing;

/// <summary>The fleet that is found for a rate, compared with calculations on paper and with planted truth.</summary>
public sealed class FleetSearchTests
{
    private static readonly PriceList Prices = new()
    {
        Currency = "EUR", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    /// <summary>An insert takes 7.05 RU and about 84 ms.</summary>
    private static readonly RunSpec Far = new()
    {
        Client = new() { Concurrency = 5 }, Simulation = new() { Latency = LatencyProfile.CrossRegion },
    };

    /// <summary>A core does 400 operations of 2.5 ms a second. Seven tenths of it may be used, so 500 take two workers.</summary>
    [Fact]
    public void Find_OperationsThatWait_TakesFewWorkersWithMoreInFlight()
    {
        var result = Find(FleetBasis.From(Far, cpuMs: 2.5, null), 500);
        Assert.True(result.Reached);
        Assert.Equal((2, 250), (result.Fleet.Workers, result.Fleet.RatePerWorker));
        // Little's law, times two.
        Assert.InRange(result.Fleet.ConcurrencyPerWorker, 2 * 250 * 0.084, 4 * 250 * 0.084);
        Assert.InRange(result.Fleet.Throughput, 500 * Charge(Far), 500 * Charge(Far) / 0.8);
        Assert.Equal(result.Settings.Partitions, result.Fleet.Partitions.Count);
    }

    /// <summary>A price list has the price of an instance of one core.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(1)]
    [InlineData(4)]
    public void Find_WorkersOfSeveralCores_CostAsManyTimesOne(int cores)
    {
        var result = Find(FleetBasis.From(Far with { Client = Far.Client with { Cores = cores } }, cpuMs: 2.5, null), 500);
        Assert.Equal(result.Fleet.Workers * cores * Prices.InstanceSecond * 3_600 * 730, result.Cost.Compute, 0.01);
    }

    /// <summary>The first bill has nothing of the documents that come, and the second one all that are kept.</summary>
    [Fact]
    public void Find_DocumentsThatAreKept_CostInTheSecondBillAlone()
    {
        var result = Find(FleetBasis.From(Far, cpuMs: 2.5, null), 500);
        Assert.Equal((0, 0), (result.Cost.Gigabytes, result.Cost.Storage));
        Assert.Equal(result.Growth!.Gigabytes, result.GrownCost!.Gigabytes);
        Assert.Equal(0.25 * result.Growth.Gigabytes, result.GrownCost.Storage!.Value, 0.01);
        Assert.Equal(result.GrownCost.Total - result.GrownCost.Storage.Value, result.Cost.Total, tolerance: 0.2 * result.Cost.Total);
    }

    /// <summary>A point read of 1 KB costs 1 RU, so a mix takes fewer RU/s than inserts alone.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_Mix_TakesTheRequestUnitsOfEachKind()
    {
        var mix = Far with { Workload = new() { Mix = new() { Insert = 3, Read = 1 } } };
        var result = Find(FleetBasis.From(mix, cpuMs: 2.5, null), 500);
        Assert.True(result.Reached);
        var used = 500 * ((0.75 * Charge(Far)) + (0.25 * 1));
        Assert.InRange(result.Fleet.RequestUnitsPerSecond, 0.98 * used, 1.02 * used);
        Assert.InRange(result.Settings.Throughput, used, used / 0.8);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_SettingsThatAreGiven_AreKept()
    {
        var result = Find(FleetBasis.From(Far, cpuMs: 0.25, null), 1_000, keepsConcurrency: true);
        // Five in flight over 84 ms are 59 a second, so 17 workers.
        Assert.Equal(5, result.Settings.Concurrency);
        Assert.InRange(result.Settings.Workers, 17, 19);
        Assert.All(result.Frontier, fleet => Assert.Equal(5, fleet.Settings.Concurrency));
    }

    /// <summary>
    /// A client in Direct keeps a connection to each of the four replicas of a partition, and four over HTTPS. In Gateway each operation in
    /// flight has its own.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_EachMode_SaysHowManyConnectionsAWorkerOpens()
    {
        var direct = Find(FleetBasis.From(Far, cpuMs: 2.5, null), 500, keepsMode: true);
        Assert.Equal(
            4 + (4 * direct.Settings.Partitions) + (direct.Settings.Concurrency / 15), direct.ConnectionsPerWorker);
        var gateway = Find(
            FleetBasis.From(Far with { Client = Far.Client with { ConnectionMode = ConnectionMode.Gateway } }, cpuMs: 2.5, null), 500,
            keepsMode: true);
        Assert.Equal(ConnectionMode.Gateway, gateway.Settings.Mode);
        Assert.Equal(4 + gateway.Settings.Concurrency, gateway.ConnectionsPerWorker);
        Assert.Contains(gateway.Notes, note => note.Contains($"{gateway.ConnectionsPerWorker} connections", StringComparison.Ordinal));
    }

    /// <summary>A bound just above the p99 holds as simulated. With longer latencies it does not, and the result says so.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_BoundWithinTheModelsError_HoldsAndShowsTheMargin()
    {
        var basis = FleetBasis.From(new RunSpec(), cpuMs: 0.1, null);
        var p99 = Find(basis, 500, "p99<60ms").Fleet.OperationMs.P99!.Value;
        var near = Find(basis, 500, string.Create(CultureInfo.InvariantCulture, $"p99<{p99 * 1.1:0.0}ms"));
        var wide = Find(basis, 500, string.Create(CultureInfo.InvariantCulture, $"p99<{p99 * 1.6:0.0}ms"));
        Assert.Equal((true, true), (near.Reached, wide.Reached));
        Assert.True(near.Fleet.OperationMs.P99 < near.LatencyBoundMs);
        Assert.Null(near.Margin!.Fleet);
        Assert.Matches(@"p99 is up to [\d.]+ ms, not <[\d.]+ms", near.Margin.Unmet);
        Assert.Equal((wide.Settings, 0.0), (wide.Margin!.Fleet!.Settings, wide.Margin.Extra));
    }

    /// <summary>A bulk request waits up to 100 ms, so the search tries bulk only where latencies may be longer.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("p99<20ms", false)]
    [InlineData("p99<2s", true)]
    [InlineData("throttledShare<0.05", true)]
    public void Find_Bulk_OnlyWhereTheConditionAllowsIt(string until, bool expected) =>
        Assert.Equal(
            expected, Find(FleetBasis.From(new RunSpec(), cpuMs: 0.1, null), 500, until).Frontier.Any(fleet => fleet.Settings.Bulk));

    /// <summary>The result depends most on the CPU per operation: twice the CPU takes twice the workers.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_Cpu_ItsEffectIsShown()
    {
        var result = Find(FleetBasis.From(new RunSpec(), cpuMs: 2.5, null), 1_600);
        Assert.Equal(6, result.Settings.Workers);
        Assert.Equal([3, 12], result.Dependences.Take(2).Select(one => one.Fleet!.Settings.Workers));
        Assert.StartsWith("12 workers on ", result.Dependences[1].Then, StringComparison.Ordinal);
        Assert.All(result.Frontier.Where(fleet => fleet.Holds), fleet => Assert.InRange(fleet.Forecast.Utilization.Client!.Value, 0, 0.7));
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(0.05, 2, "request units")]
    [InlineData(0.5, 2.5, "the clients' CPU")]
    // 69.6% of the cores: a little more load is more than 70%, however few RU/s are spare.
    [InlineData(0.05, 2.61, "the clients' CPU")]
    public void Find_TwiceTheLoad_SaysWhatBreaksFirst(double headroom, double cpuMs, string expected)
    {
        var result = Find(FleetBasis.From(new RunSpec(), cpuMs, null), 800, headroom: headroom);
        Assert.InRange(result.Load!.HoldsUpTo, 800, 1_000);
        Assert.Equal(expected, result.Load.Breaks);
    }

    [Theory]
    [InlineData(DocumentKind.PerfTest, 1_000, 500, BoundBy.RequestUnits)]
    [InlineData(DocumentKind.Flights, 400_000, 20_000, BoundBy.Partition)]
    public void Find_BudgetThatIsUsedUp_AddsNoWorkers(DocumentKind kind, int throughput, double rate, BoundBy expected)
    {
        var spec = new RunSpec
        {
            Id = "rows", Document = new() { Kind = kind }, Container = new() { Throughput = throughput },
            Simulation = new() { PhysicalPartitions = RunEstimate.PartitionsOf(new() { Container = new() { Throughput = throughput } }) },
        };
        var result = Find(FleetBasis.From(spec, cpuMs: 0.1, null), rate, keepsThroughput: true);
        Assert.False(result.Reached);
        Assert.Equal(expected, result.Fleet.BoundBy);
        Assert.InRange(result.Fleet.Workers, 1, 10);
        Assert.Equal(throughput, result.Fleet.Throughput);
        Assert.Contains("more workers do not help", SizePage.From(result).Result[0], StringComparison.Ordinal);
    }

    /// <summary>A few large operations of a slow schedule do not end evenly within the simulated time.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(7)]
    [InlineData(50)]
    public void Find_BatchesAtALowRate_TakeOneWorker(double rate)
    {
        var spec = new RunSpec { Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 100 } };
        var result = Find(FleetBasis.From(spec, cpuMs: 1, null), rate);
        Assert.Equal((true, 1), (result.Reached, result.Fleet.Workers));
    }

    [Theory]
    [InlineData(WorkloadKind.Insert, 2e6, "and a container has at most 10,000,000")]
    [InlineData(WorkloadKind.Bulk, 200_000, "--workers simulates one")]
    public void Find_RateBeyondTheSearch_IsAnError(WorkloadKind kind, double rate, string message)
    {
        var spec = new RunSpec { Workload = new() { Kind = kind } };
        var error = Assert.Throws<InputException>(() => Find(FleetBasis.From(spec, cpuMs: 0.1, null), rate));
        Assert.Contains(message, Assert.Single(error.Errors).Line, StringComparison.Ordinal);
    }

    /// <summary>The spec that is written is a valid one for a real account, with the settings of the result.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void SizedSpec_OfTheResult_IsValidForARealAccount()
    {
        var result = Find(FleetBasis.From(Far, cpuMs: 2.5, null), 500);
        var fields = JsonNode.Parse("""{ "id": "old", "documents": 5, "simulation": { "latency": "cross-region" } }""")!.AsObject();
        var reading = RunSpecReader.Read(SizedSpec.From(fields, Far, result), RunTarget.OtherAccount);
        Assert.Empty(reading.Errors);
        var (spec, settings) = (reading.Value!, result.Settings);
        Assert.Equal((settings.Workers, settings.Concurrency), (spec.Workers, spec.Client.Concurrency!.Value));
        Assert.Equal((settings.Throughput, 250, 60_000), (spec.Container.Throughput, spec.Client.Rate!.Value, spec.Documents));
        Assert.Null(spec.Id);
    }

    /// <summary>A run at the rate deletes more documents than the spec has.</summary>
    [Fact]
    public void SizedSpec_WorkloadThatDeletes_HasADocumentForEachOperation()
    {
        var fields = JsonNode.Parse("""{ "workload": { "action": ["delete", "insert"], "preload": 500 }, "documents": 500 }""")!.AsObject();
        var spec = RunSpecReader.Read(fields).Value!;
        var result = Find(FleetBasis.From(spec, cpuMs: 0.1, null), 100);
        var reading = RunSpecReader.Read(SizedSpec.From(fields, spec, result), RunTarget.OtherAccount);
        Assert.Empty(reading.Errors);
        Assert.Equal((null, 12_000), (reading.Value!.Workload.Preload, reading.Value.Documents));
    }

    /// <summary>
    /// For questions with a planted truth, the named fleet holds and the next smaller one does not. <c>bench size-questions</c> asks more.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_PlantedTruth_NamesTheSmallestFleetThatHolds()
    {
        Assert.All(SizePlantedQuestion.From(seed: 7, count: 4), question =>
        {
            var found = question.Ask();
            Assert.NotNull(found);
            var (named, smaller) = question.Truth(found, seeds: [501], TimeSpan.FromSeconds(30));

            Assert.All(named, Assert.Null);
            Assert.All(smaller, Assert.NotNull);
            Assert.Equal(question.WorkersOnPaper, found.Workers);
        });
    }

    private static double Charge(RunSpec spec) => RunEstimate.ChargeOf(spec);

    private static SizeResult Find(
        FleetBasis basis, double rate, string? until = null, bool keepsConcurrency = false, bool keepsThroughput = false,
        double? headroom = null, bool keepsMode = false) =>
        FleetSearch.Find(basis, new SizeQuestion(rate, LimitCondition.Parse(until, FleetForecast.ConditionNames([])).Value!, Prices)
        {
            KeepsConcurrency = keepsConcurrency, KeepsThroughput = keepsThroughput, KeepsMode = keepsMode, Headroom = headroom,
        });
}
