using ScaleOut.Bench.Size;

namespace ScaleOut.Tests.Sizing;

/// <summary>That a fleet is found where one holds, that equal questions have equal answers, and what arrivals and bandwidth take.</summary>
public sealed class FleetTrialsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    /// <summary>
    /// 12,000 devices at 6,000/s. They use 6,000 times the RU of an insert. The hashes of so many keys are nearly even, so a third more is
    /// enough.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void FindCheapest_ManyDevices_TakesLittleMoreThanTheyUse()
    {
        var basis = FleetBasis.From(Keyed("device-{{random:int:1:12000}}", 650), cpuMs: 0.25, overheadMs: null);
        var found = FleetSearch.FindCheapest(basis, new SizeQuestion(6_000, Condition("p99<15ms"), Prices), Token);
        Assert.NotNull(found);
        var used = 6_000 * basis.ChargePerDocument;
        Assert.InRange(found.Throughput, used, 1.33 * used);
    }

    /// <summary>A little more or less RU for a document does not decide whether a fleet is found, while partitions can be added.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(10.3)]
    [InlineData(10.4)]
    [InlineData(10.5)]
    [InlineData(14.5)]
    public void FindCheapest_BusyTenant_IsFoundForEachCharge(double charge)
    {
        // One value in nine and some more: 12% of the documents.
        var basis = FleetBasis.From(Keyed("t-{{pick:big,b,c,d,e,f,g,h}}", 400), cpuMs: 0.25, overheadMs: null) with
        {
            ChargePerDocument = charge,
        };
        Assert.NotNull(FleetSearch.FindCheapest(basis, new SizeQuestion(40e6 / 4 / 3_600, Condition(null), Prices), Token));
    }

    /// <summary>
    /// A batch takes much of a second of one partition, so on many small partitions it takes many times the RU/s that are used, but never
    /// more than the 10,000 that a partition can have.
    /// </summary>
    [Fact]
    public void Find_BatchesOnManyPartitions_HoldWithSeveralTimesTheRequestUnits()
    {
        var spec = Keyed("{{key}}", 600) with { Workload = new() { Kind = WorkloadKind.Batch, BatchSize = 50 } };
        var basis = FleetBasis.From(spec, cpuMs: 1, overheadMs: null);
        var question = new SizeQuestion(500, Condition("p99<200ms"), Prices) { OnPartitions = 40 };
        var found = FleetSearch.FindCheapest(basis, question, Token);
        Assert.NotNull(found);
        Assert.InRange(found.Throughput, 2.5 * 500 * basis.ChargePerDocument, found.Partitions * 10_000);
    }

    /// <summary>Eight questions with four rows each: the fleet of a row is that of its question asked directly.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("{{key}}", 300, "throttledShare<0.01")]
    [InlineData("{{key}}", 900, "p99<40ms")]
    [InlineData("c-{{random:int:1:60}}", 400, "throttledShare<0.01")]
    [InlineData("c-{{random:int:1:200}}", 1_200, "p99<25ms")]
    [InlineData("c-{{zipf:1:5000:0.9}}", 700, "throttledShare<0.01")]
    [InlineData("same", 500, "throttledShare<0.01")]
    [InlineData("{{pick:a,b,c}}", 1_100, "p99<60ms")]
    [InlineData("c-{{zipf:1:20000:1.1}}", 1_500, "throttledShare<0.02")]
    public void Find_Dependences_EqualTheirQuestionsAskedDirectly(string key, double rate, string until)
    {
        var basis = FleetBasis.From(Keyed(key, 100), cpuMs: 0.4, overheadMs: null);
        var question = new SizeQuestion(rate, Condition(until), Prices) { Retention = TimeSpan.FromHours(1) };
        FleetBasis[] others =
        [
            basis with { CpuMsPerAttempt = 0.2 }, basis with { CpuMsPerAttempt = 0.8 },
            basis with { Latency = SizeResultBuilder.Longer(basis.Latency, 1.5) },
            basis with { ChargePerDocument = basis.ChargePerDocument * 1.2 },
        ];
        var rows = FleetSearch.Find(basis, question, Token).Dependences;
        Assert.Equal(
            others.Select(other => FleetSearch.FindCheapest(other, question, Token)), rows.Take(4).Select(row => row.Fleet?.Settings));
        Assert.Equal(
            FleetSearch.FindCheapest(basis, question with { EvenArrivals = true }, Token),
            rows.Single(row => row.On == DependsOn.Arrivals).Fleet?.Settings);
    }

    /// <summary>
    /// Operations that come at random need room: in a second that has more of them than it can serve, the rest is throttled. How much
    /// follows from counting such seconds.
    /// </summary>
    [Theory]
    [InlineData(200)]
    [InlineData(1_000)]
    public void Find_RandomArrivals_TakeTheRoomOfBusySeconds(double rate)
    {
        var basis = FleetBasis.From(Keyed("same", 100), cpuMs: 0.25, overheadMs: null);
        var question = new SizeQuestion(rate, Condition("throttledShare<0.01"), Prices) { Retention = TimeSpan.FromHours(1) };
        var (random, even) = (FleetSearch.FindCheapest(basis, question, Token)!, FleetSearch.FindCheapest(
            basis, question with { EvenArrivals = true }, Token)!);
        var used = rate * basis.ChargePerDocument;
        Assert.InRange(even.Throughput, used, (1.01 * used) + 100);
        var least = RandomArrivals.LeastUnits(rate, basis.ChargePerDocument, random.Partitions, maxThrottled: 0.01);
        Assert.True(least > 1.01 * used);
        Assert.InRange(random.Throughput, 0.97 * least, (1.05 * least) + 100);
    }

    /// <summary>240 MB/s through one-core machines of 93.75 MB/s each take three, whatever their CPU.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(1, 3)]
    [InlineData(4, 1)]
    public void Find_LargeDocuments_TakeWorkersByTheirBandwidth(int cores, int workers)
    {
        var spec = Keyed("{{key}}", 48_000) with { Client = new() { Cores = cores } };
        var basis = FleetBasis.From(spec, cpuMs: 0.01, overheadMs: null);
        var rate = 240e6 / basis.BytesPerDocument;
        var result = FleetSearch.Find(
            basis, new SizeQuestion(rate, Condition(null), Prices) { Retention = TimeSpan.FromMinutes(1) }, Token);
        Assert.Equal((true, workers), (result.Reached, result.Settings.Workers));
        Assert.InRange(result.Fleet.SentPerSecond, 0.98 * 240e6 / workers, 1.02 * 240e6 / workers);
        Assert.Equal(workers * cores * Prices.InstanceSecond * 3_600 * 730, result.Cost.Compute, 0.01);
    }

    /// <summary>70.4% is more than 70%, and both are shown so that a reader sees it.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(0.704, "70.4%")]
    [InlineData(0.7002, "70.02%")]
    [InlineData(0.93, "93%")]
    public void Unmet_ClientsJustAboveTheLimit_ShowsTheDigitThatDecides(double share, string expected)
    {
        var basis = FleetBasis.From(Keyed("{{key}}", 100), cpuMs: 0.25, overheadMs: null);
        var trials = FleetTrials.From(basis, new SizeQuestion(100, Condition(null), Prices), TestContext.Current.CancellationToken);
        var fleet = FleetSearch.Find(basis, trials.Question, Token).Fleet;
        var unmet = trials.Unmet(fleet with { Utilization = fleet.Utilization with { Client = share } }, 100, slower: false);
        Assert.StartsWith($"the clients use {expected} of their cores, more than the 70%", unmet, StringComparison.Ordinal);
    }

    /// <summary>Fleets of one price may differ in their partitions: none that holds is clearly faster than the chosen one.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("c-{{random:int:1:300}}", 1_300)]
    [InlineData("{{key}}", 2_000)]
    public void Find_FleetsOfOnePrice_TheFasterIsChosen(string key, double rate)
    {
        var result = FleetSearch.Find(
            FleetBasis.From(Keyed(key, 100), cpuMs: 0.3, overheadMs: null),
            new SizeQuestion(rate, Condition("throttledShare<0.01"), Prices) { Retention = TimeSpan.FromHours(1) }, Token);
        var chosen = result.Frontier.Single(fleet => fleet.IsChosen);
        Assert.All(
            result.Frontier.Where(one => one.Holds && one.Cost == chosen.Cost
                && one.Settings with { Concurrency = chosen.Settings.Concurrency } != chosen.Settings),
            one => Assert.True(one.Forecast.OperationMs.P99 >= 0.98 * chosen.Forecast.OperationMs.P99));
    }

    /// <summary>
    /// A query finds a thousandth of what is stored: 101 documents at the start, and 965 once two days of 5 a second are kept. A RU/s in
    /// all seconds of a month is 2.628 million RU.
    /// </summary>
    [Fact]
    public void MonthOf_QueriesOnceGrown_PricesWhatTheyFindThen()
    {
        var spec = Keyed("{{key}}", 100);
        var template = spec.Document.Template!.Replace(
            "\"k\"", "\"owner\": \"o-{{random:int:1:1000}}\", \"k\"", StringComparison.Ordinal);
        var basis = FleetBasis.From(spec with
        {
            Document = spec.Document with { Template = template },
            Documents = 100_000,
            Workload = new()
            {
                Mix = new() { Insert = 50, Query = 50 },
                Query = new()
                {
                    Text = "SELECT * FROM c WHERE c.owner = @o",
                    Parameters = [new() { Name = "@o", Value = "\"{{field:owner}}\"" }],
                },
            },
        }, cpuMs: 0.25, overheadMs: null);
        var trials = FleetTrials.From(
            basis, new SizeQuestion(10, Condition(null), Prices with { MillionServerlessRequestUnits = 0.25 })
            {
                Retention = TimeSpan.FromDays(2),
            }, Token);
        var settings = new FleetSettings(ConnectionMode.Direct, Bulk: false, Workers: 1, Concurrency: 1, Throughput: 1_000, Partitions: 1);
        var each = 0.018 + (0.036 * (basis.BytesPerDocument + 205) / 1_024);
        double Serverless(double documents) =>
            10 * (basis.ChargeOf(WorkloadKind.Insert, 1) + 2.8 + ((1 + (documents / 1_000)) * each)) / 2 * 2.628 * 0.25;
        double Priced(MonthCost cost) => cost.Offers.Single(one => one.Name == "serverless").Amount;

        Assert.Equal(Serverless(100_000), Priced(trials.MonthOf(settings)), 0.05 * Serverless(100_000));
        Assert.Equal(Serverless(964_000), Priced(trials.MonthOf(settings, trials.Growth.Gigabytes)), 0.05 * Serverless(964_000));
    }

    /// <summary>
    /// All documents have one first level, which is on one partition until it is full, and then on all eight. Autoscale of 40,000 RU/s is
    /// billed for at least 500 RU/s of each, and 10,000 RU/s are 1,250 of each.
    /// </summary>
    [Fact]
    public void MonthOf_HierarchicalKeyOnceSplit_BillsAutoscaleOfAllPartitions()
    {
        var spec = Keyed("same", 1_000) with { Container = new() { PartitionKeyPaths = ["/k", "/id"] } };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null) with { ChargePerDocument = 10 };
        var question = new SizeQuestion(1_000, Condition(null), Prices)
        {
            EvenArrivals = true, Existing = 1, Retention = TimeSpan.FromHours(1),
        };
        var trials = FleetTrials.From(basis, question, Token);
        var settings = new FleetSettings(ConnectionMode.Direct, Bulk: false, Workers: 1, Concurrency: 1, Throughput: 40_000, Partitions: 8);
        const double UnitMonth = 1.5 * 0.073;

        Assert.Equal((5_000 + (7 * 500)) * UnitMonth, trials.MonthOf(settings).AutoscaleBusy, 0.01);
        Assert.Equal(10_000 * UnitMonth, trials.MonthOf(settings, gigabytes: 400).AutoscaleBusy, 0.02 * 10_000 * UnitMonth);
    }

    private static RunSpec Keyed(string key, int padding)
    {
        const int Part = 400;
        var text = string.Concat(Enumerable.Repeat($"{{{{random:text:{Part}}}}}", padding / Part))
            + $"{{{{random:text:{Math.Max(1, padding % Part)}}}}}";
        return new()
        {
            Id = "keyed",
            Document = new()
            {
                Kind = DocumentKind.Template, Template = $$$"""{"id": "{{id}}", "k": "{{{key}}}", "text": "{{{text}}}"}""",
            },
            Container = new() { PartitionKeyPath = "/k" },
        };
    }

    /// <summary>
    /// 100 actions a second, each a read of 1.00 RU, an insert of 7.05 RU, and a read. An action takes as long as its steps together, which
    /// a condition can tell apart.
    /// </summary>
    [Theory]
    [InlineData("action.p99<100ms && read.p99<50ms && insert.p99<50ms", null)]
    [InlineData("action.p50<5ms", "action.p50")]
    [InlineData("p50<5ms", "p50")]
    public void Try_Actions_CountsThemByTheSumOfTheirSteps(string until, string? unmet)
    {
        var spec = new RunSpec
        {
            Documents = 1_000, Workload = new() { Action = [WorkloadKind.Read, WorkloadKind.Insert, WorkloadKind.Read] },
        };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var condition = LimitCondition.Parse(until, FleetForecast.ConditionNames(FleetForecast.KindsOf(spec))).Value!;
        var trials = FleetTrials.From(basis, new SizeQuestion(100, condition, Prices), Token);

        Assert.Equal(905, trials.Used, 0.001);
        var tried = trials.Try(
            new FleetSettings(ConnectionMode.Direct, Bulk: false, Workers: 1, Concurrency: 0, Throughput: 4_000, Partitions: 1));
        Assert.Equal(905, tried.Forecast.RequestUnitsPerSecond, 30.0);
        Assert.Equal(unmet, tried.Unmet?.Split(' ')[0]);
        var steps = tried.Forecast.OperationMsByKind;
        Assert.Equal(
            tried.Forecast.OperationMs.Mean!.Value, (2 * steps["read"].Mean!.Value) + steps["insert"].Mean!.Value, tolerance: 0.05);
    }

    /// <summary>An action of four reads needs as many operations in flight as single reads at four times the rate.</summary>
    [Fact]
    public void AmpleConcurrency_Actions_HasTheTimeOfEachStepOnce()
    {
        var settings = new FleetSettings(ConnectionMode.Direct, Bulk: false, Workers: 1, Concurrency: 0, Throughput: 4_000, Partitions: 1);
        int Ample(WorkloadSpec workload, double rate) => FleetTrials.From(
            FleetBasis.From(new RunSpec { Workload = workload }, cpuMs: 0.25, overheadMs: null),
            new SizeQuestion(rate, Condition(null), Prices), Token).AmpleConcurrency(settings);

        Assert.Equal(
            Ample(new() { Kind = WorkloadKind.Read }, 4_000),
            Ample(new() { Action = [.. Enumerable.Repeat(WorkloadKind.Read, 4)] }, 1_000));
    }

    /// <summary>A load of 1,000 actions stores two documents of each. At a rate that stays, a delete takes from what inserts add.</summary>
    [Fact]
    public void Growth_Actions_StoresWhatTheyWriteLessWhatTheyDelete()
    {
        var spec = new RunSpec
        {
            Documents = 1_000, Workload = new() { Action = [WorkloadKind.Insert, WorkloadKind.Read, WorkloadKind.Upsert] },
        };
        var question = new SizeQuestion(10, Condition(null), Prices);
        Assert.Equal(2_000, (question with { Within = TimeSpan.FromMinutes(10) }).ExistingDocuments(spec));

        double PerDay(WorkloadSpec workload) => FleetTrials.From(
            FleetBasis.From(spec with { Workload = workload }, cpuMs: 0.25, overheadMs: null), question, Token).Growth.GigabytesPerDay;
        Assert.Equal(
            PerDay(new()), PerDay(new() { Action = [WorkloadKind.Insert, WorkloadKind.Delete, WorkloadKind.Insert] }), tolerance: 1e-9);
        Assert.Equal(0, PerDay(new() { Action = [WorkloadKind.Delete, WorkloadKind.Insert] }));
    }

    private static LimitCondition Condition(string? until) => LimitCondition.Parse(until, FleetForecast.ConditionNames([])).Value!;
}
