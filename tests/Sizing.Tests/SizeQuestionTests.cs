using ScaleOut.Bench.Size;

namespace ScaleOut.Tests.Sizing;

/// <summary>Questions of hot keys, growth, autoscale, mixes and loads, compared with arithmetic.</summary>
public sealed class SizeQuestionTests
{
    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00001, StorageGigabyteMonth = 0.25,
    };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static KeySpread Keys(RunSpec spec) => KeySpread.From(spec, cancellationToken: Cancellation);

    private static RunSpec Keyed(string key, int padding = 20) => new()
    {
        Id = "keyed",
        Document = new()
        {
            Kind = DocumentKind.Template,
            Template = $$$"""{"id": "{{id}}", "k": "{{{key}}}", "text": "{{random:text:{{{padding}}}}}"}""",
        },
        Container = new() { PartitionKeyPath = "/k" },
    };

    /// <summary>
    /// More RU/s than 10,000 are more than one partition, and the key is on one of them. So the fewest RU/s are on one partition, and there
    /// are those that the rate uses, with the room of random arrivals.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("same", 1_000)]
    [InlineData("c-{{random:int:1:10}}", 1_000)]
    [InlineData("c-{{zipf:1:20000:1.1}}", 1_000)]
    public void Find_HotKeys_TakesWhatTheRateUsesOnOnePartition(string key, double rate)
    {
        var basis = FleetBasis.From(Keyed(key), cpuMs: 0.25, overheadMs: null);
        var used = RandomArrivals.LeastUnits(rate, basis.ChargePerDocument, partitions: 1, maxThrottled: 0.01);
        var result = Find(basis, new SizeQuestion(rate, Condition(null), Prices) { Retention = TimeSpan.FromHours(1) });

        Assert.Equal((true, 1), (result.Reached, result.Settings.Partitions));
        Assert.InRange(result.Settings.Throughput, 0.98 * used, used + (0.04 * used) + 100);
    }

    /// <summary>A key on one partition has at most 10,000 RU/s, however many the container has.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_KeyBeyondOnePartition_SaysWhichKeyAndUpToWhichRateItHolds()
    {
        var basis = FleetBasis.From(Keyed("same"), cpuMs: 0.25, overheadMs: null);
        var most = SimulationSpec.MaxRequestUnitsPerPartition / basis.ChargePerDocument;
        var result = Find(basis, new SizeQuestion(2 * most, Condition(null), Prices));

        Assert.False(result.Reached);
        Assert.Contains("\"same\" alone needs 20,000 RU/s", result.Unmet, StringComparison.Ordinal);
        Assert.Contains(result.WouldHelp, help => help.Contains($"up to {Numbers.Brief(most)} documents/s", StringComparison.Ordinal));
        Assert.True(Find(basis, new SizeQuestion(0.94 * most, Condition(null), Prices) { Retention = TimeSpan.FromHours(1) }).Reached);
    }

    /// <summary>Of all fleets that were looked at, none that holds is cheaper than the one that is marked.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("{{key}}", 3_000, "p99<40ms")]
    [InlineData("c-{{zipf:1:20000:0.8}}", 3_000, "throttledShare<0.01")]
    [InlineData("c-{{random:int:1:40}}", 2_500, "p99<40ms")]
    public void Find_Table_HasNothingCheaperThatHolds(string key, double rate, string until)
    {
        var result = Find(
            FleetBasis.From(Keyed(key), cpuMs: 0.5, overheadMs: null), new SizeQuestion(rate, Condition(until), Prices)
            {
                Retention = TimeSpan.FromHours(1),
            });
        var chosen = Assert.Single(result.Frontier, fleet => fleet.IsChosen);

        Assert.True(result.Reached);
        Assert.Equal(result.Settings, chosen.Settings);
        Assert.All(result.Frontier.Where(fleet => fleet.Holds), fleet => Assert.True(fleet.Cost >= chosen.Cost));
        Assert.Contains(result.Frontier, fleet => !fleet.Holds && fleet.Cost < chosen.Cost);
    }

    /// <summary>86,400 s x 30 days x the rate x the bytes; 50 GB a partition, 1 RU/s a GB, 10 for autoscale.</summary>
    [Theory]
    [InlineData(WorkloadKind.Insert, 30.0, 1.0)]
    [InlineData(WorkloadKind.Insert, 0.5, 1.0)]
    [InlineData(WorkloadKind.Read, 30.0, 0.0)]
    [InlineData(WorkloadKind.Patch, 30.0, 0.0)]
    [InlineData(WorkloadKind.Delete, 30.0, 0.0)]
    public void Growth_Retention_GrowsWithWhatIsAdded(WorkloadKind kind, double days, double share)
    {
        var basis = FleetBasis.From(Keyed("{{key}}", 900) with { Workload = new() { Kind = kind } }, cpuMs: 0.25, overheadMs: null);
        var question = new SizeQuestion(500, Condition(null), Prices) { Retention = TimeSpan.FromDays(days), Existing = 0 };
        var growth = StorageGrowth.From(basis, question, Keys(basis.Spec));

        var gigabytes = 500 * share * 86_400 * days * basis.BytesPerDocument / 1e9;
        Assert.Equal(gigabytes, growth.Gigabytes, 6);
        Assert.Equal(Math.Max(1, Math.Ceiling(gigabytes / 50)), growth.Partitions);
        Assert.InRange(growth.MinThroughput, Math.Max(400, gigabytes), Math.Max(400, gigabytes + 100));
        Assert.InRange(growth.MinAutoscaleThroughput, Math.Max(1_000, 10 * gigabytes), Math.Max(1_000, (10 * gigabytes) + 1_000));
    }

    /// <summary>6,000/s for 8 hours and 300/s for 16 add 190 million documents a day, not 518.</summary>
    [Fact]
    public void Growth_WithAPeak_AddsTheDocumentsOfTheDay()
    {
        var basis = FleetBasis.From(Keyed("{{key}}", 800), cpuMs: 0.25, overheadMs: null);
        var question = new SizeQuestion(6_000, Condition(null), Prices) { Day = DailyLoad.OfPeak(8, 300 / 6_000.0) };
        var documents = 3_600.0 * ((8 * 6_000) + (16 * 300));
        Assert.Equal(
            documents * basis.BytesPerDocument / 1e9, StorageGrowth.From(basis, question, Keys(basis.Spec)).GigabytesPerDay, 6);
    }

    /// <summary>Autoscale up to 10,000 RU/s costs the same at this rate, and is a little faster.</summary>
    [Fact]
    public void FindCheapest_PeakOfHours_HasNoMoreThroughputThanThePeakTakes()
    {
        var basis = FleetBasis.From(Keyed("{{key}}", 100), cpuMs: 0.25, overheadMs: null);
        var question = new SizeQuestion(672, Condition(null), Prices) { Day = DailyLoad.OfPeak(3, 0.47) };
        var used = 672 * basis.ChargePerDocument;
        Assert.InRange(FleetSearch.FindCheapest(basis, question, Cancellation)!.Throughput, used, 1.25 * used);
    }

    /// <summary>40 days of 86,400 s at 100/s are kept: nothing at first, 30.4 days of it after a month, and all of it after two.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_DocumentsThatAreKept_HaveACostForEachMonthUntilAllAreStored()
    {
        var basis = FleetBasis.From(Keyed("{{key}}", 300), cpuMs: 0.25, overheadMs: null);
        var result = Find(basis, new SizeQuestion(100, Condition(null), Prices) { Retention = TimeSpan.FromDays(40) });
        var day = 100.0 * 86_400 * basis.BytesPerDocument / 1e9;
        Assert.Equal([0, Math.Round(day * 730 / 24, 3), Math.Round(40 * day, 3)], result.CostByMonth.Select(one => one.Gigabytes));
        Assert.Equal([result.Cost.Total, result.GrownCost!.Total], new[] { result.CostByMonth[0].Total, result.CostByMonth[^1].Total });
        Assert.True(result.CostByMonth[1].Total > result.Cost.Total && result.CostByMonth[1].Total < result.GrownCost.Total);
    }

    /// <summary>
    /// Three million documents use the same RU in one hour as in six, but a worker that is hardly used costs six times as much. So the load
    /// of at most six hours takes one.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_LoadOfHours_TakesTheCheapestTime()
    {
        var basis = FleetBasis.From(new RunSpec { Documents = 3_000_000 }, cpuMs: 0.25, overheadMs: null);
        SizeResult In(double hours) => Find(basis, new SizeQuestion(3e6 / hours / 3_600, Condition(null), Prices)
        {
            Within = TimeSpan.FromHours(hours),
        });
        var (result, one) = (In(6), In(1));
        Assert.Equal((3_600, 21_600), (result.LoadCost!.Seconds, result.LoadCost.MaxSeconds));
        Assert.Equal((one.Settings, one.LoadCost!.Total), (result.Settings, result.LoadCost.Total));
        Assert.Contains("within 6 hours, cheapest in 1 hour", SizePage.From(result).Result[0], StringComparison.Ordinal);
        // 1,000 RU/s or a little more, and a worker, for six hours.
        Assert.True(result.LoadCost.Total < 6 * ((1_000 * Prices.RequestUnitPerSecondHour) + (3_600 * Prices.InstanceSecond)));
        Assert.True(result.Fleet.PerSecond * 3_600 > 0.99 * 3e6);
    }

    /// <summary>20 GB / (40% of 300/s x bytes) is when the tenant is full.</summary>
    [Fact]
    public void Find_KeyThatFillsItsLogicalPartition_IsNotReachedAndSaysWhen()
    {
        var basis = FleetBasis.From(Keyed("{{pick:big,big,t3,t4,t5}}", 10_000), cpuMs: 0.25, overheadMs: null);
        var result = Find(basis, new SizeQuestion(300, Condition(null), Prices));
        var full = result.Growth!.FullKey!;

        Assert.False(result.Reached);
        Assert.Equal(("/k", "big"), (full.Path, full.Value));
        var seconds = 20e9 / (0.4 * 300 * basis.BytesPerDocument);
        Assert.InRange(full.FullAfterSeconds, 0.98 * seconds, 1.02 * seconds);
        Assert.Contains("403, sub-status 1014", result.Unmet, StringComparison.Ordinal);
        Assert.Contains("(/k, /id)", result.WouldHelp[0], StringComparison.Ordinal);
        var question = new SizeQuestion(300, Condition(null), Prices) { Retention = TimeSpan.FromSeconds(seconds / 2) };
        Assert.Null(StorageGrowth.From(basis, question, Keys(basis.Spec)).FullKey);
    }

    /// <summary>
    /// The 20 GB hold for all levels together, and the RU/s of a physical partition for the first one, because all documents with one first
    /// value are on one physical partition.
    /// </summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("/k /id", null)]
    [InlineData("/k /user", 0.25)]
    [InlineData("/k /user /id", null)]
    public void Growth_HierarchicalKey_FillsTheLogicalPartitionOfAllLevels(string levels, double? share)
    {
        var spec = Keyed("same", 10_000);
        var template = spec.Document.Template!.Replace("\"k\"", "\"user\": \"{{pick:a,b,c,d}}\", \"k\"", StringComparison.Ordinal);
        spec = spec with
        {
            Document = spec.Document with { Template = template },
            Container = new() { PartitionKeyPaths = levels.Split(' ') },
        };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var most = SimulationSpec.MaxRequestUnitsPerPartition / basis.ChargePerDocument;

        var full = StorageGrowth.From(basis, new SizeQuestion(300, Condition(null), Prices), Keys(spec)).FullKey;
        var busy = Find(basis, new SizeQuestion(2 * most, Condition(null), Prices) { Retention = TimeSpan.FromSeconds(1) });

        Assert.Equal(share is null, full is null);
        if (full is not null)
        {
            Assert.Equal(("/k, /user", share!.Value), (full.Path, Math.Round(full.Share, 2)));
            Assert.StartsWith("same, ", full.Value, StringComparison.Ordinal);
            Assert.Contains("(/k, /user, /id)", full.Advice, StringComparison.Ordinal);
        }

        Assert.False(busy.Reached);
        Assert.Contains("/k \"same\" alone needs 20,000 RU/s", busy.Unmet, StringComparison.Ordinal);
        Assert.Contains(busy.WouldHelp, help => help.Contains("at its first level", StringComparison.Ordinal));
    }

    /// <summary>A million documents in 10 minutes are 1,667/s. The hour is billed.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_Load_CostsItsHoursAndKeepsItsPartitions()
    {
        var spec = new RunSpec { Documents = 1_000_000 };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var within = TimeSpan.FromMinutes(10);
        var result = Find(basis, new SizeQuestion(1_000_000 / within.TotalSeconds, Condition(null), Prices)
        {
            Within = within, RateAfterwards = 100,
        });
        var load = result.LoadCost!;

        Assert.True(result.Reached);
        Assert.InRange(result.Settings.Throughput, load.Rate * basis.ChargePerDocument, 1.1 * load.Rate * basis.ChargePerDocument);
        Assert.Equal(Math.Round(result.Settings.Throughput * 0.0001, 2), load.Throughput);
        Assert.Equal(result.Settings.Partitions, load.Partitions);
        var after = 100 * basis.ChargePerDocument;
        Assert.InRange(load.ThroughputAfterwards!.Value, after, (1.5 * after) + 100);
    }

    /// <summary>At 4,000 RU/s a million documents take (a million x their charge / 4,000) seconds.</summary>
    [Fact]
    public void Find_LoadThatItsThroughputCannotDo_SaysHowLongItTakes()
    {
        var spec = new RunSpec { Documents = 1_000_000, Container = new() { Throughput = 4_000 } };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var result = Find(basis, new SizeQuestion(1_000_000 / 600.0, Condition(null), Prices)
        {
            Within = TimeSpan.FromMinutes(10), KeepsThroughput = true,
        });
        var minutes = 1_000_000 * basis.ChargePerDocument / 4_000 / 60;

        Assert.False(result.Reached);
        Assert.Contains(
            result.WouldHelp, help => help.StartsWith($"More time: the load takes {minutes:0} minutes", StringComparison.Ordinal));
        Assert.Contains(result.WouldHelp, help => help.StartsWith("With other RU/s: ", StringComparison.Ordinal));
    }

    /// <summary>Reads are faster than writes, so a bound between both holds for reads alone.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("read.p99<8ms", true)]
    [InlineData("insert.p99<8ms", false)]
    public void Find_ConditionOfAKind_IsJudgedByItsLatency(string until, bool reached)
    {
        var spec = new RunSpec { Workload = new() { Mix = new() { Insert = 50, Read = 50 } } };
        var basis = FleetBasis.From(spec, cpuMs: 0.1, overheadMs: null);
        var result = Find(basis, new SizeQuestion(500, Condition(until, WorkloadKind.Insert, WorkloadKind.Read), Prices));
        Assert.Equal(reached, result.Reached);
        Assert.Equal(["insert", "read"], result.Fleet.OperationMsByKind.Keys.Order());
    }

    /// <summary>Reads of one document in three (a Zipf of exponent 3 over many) load one partition far above its share.</summary>
    [Fact]
    public void KeySpread_SkewedReads_LoadThePartitionOfTheirDocument()
    {
        var keys = KeySpread.From(new RunSpec(), readSkew: 3, existing: 1_000_000, Cancellation);
        // The sum of n^-3 is 1.202.
        Assert.Equal(1 / 1.202, keys.MostRead!.Share, 0.001);
        Assert.InRange(keys.BusiestPartition(10, new(Reads: 1, Even: 0)), 1 / 1.202, 0.95);
        Assert.Equal(0.1, keys.BusiestPartition(10, default), 6);
    }

    /// <summary>What is dearer or slower asks again: a document 1.2 times dearer still fits the fewest RU/s of a container.</summary>
    [Fact]
    public void Find_Dependences_AskTheQuestionAgain()
    {
        var result = Find(
            FleetBasis.From(new RunSpec(), cpuMs: 0.25, overheadMs: null), new SizeQuestion(5, Condition(null), Prices));
        Assert.Equal(400, result.Settings.Throughput);
        Assert.All(result.Dependences, one => Assert.Equal(400, one.Fleet!.Settings.Throughput));
        Assert.Equal(5, result.Dependences.Count);
        // 400 RU/s for an hour, and ten minutes of one instance.
        Assert.Equal(Math.Round((400 * 0.0001) + (600 * 2 * 0.00001), 2), result.Measurement!.Price);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_PrefersWorkers_NeverTakesMoreOfThem()
    {
        var basis = FleetBasis.From(new RunSpec(), cpuMs: 0.5, overheadMs: null);
        var question = new SizeQuestion(2_000, Condition("p99<30ms"), Prices);
        var (cheapest, fewest) = (Find(basis, question), Find(basis, question with { PrefersWorkers = true }));
        Assert.True(fewest.Settings.Workers <= cheapest.Settings.Workers);
        Assert.True(fewest.Cost.Total >= cheapest.Cost.Total);
    }

    /// <summary>The token reaches the loops of the simulations, so a search of many seconds ends at once.</summary>
    [Fact]
    public async Task Find_Cancelled_Stops()
    {
        using var cancelled = new CancellationTokenSource();
        var basis = FleetBasis.From(Keyed("c-{{zipf:1:20000:1.1}}"), cpuMs: 0.25, overheadMs: null);
        var search = Task.Run(() => FleetSearch.Find(basis, new(90_000, Condition("p99<500ms"), Prices), cancelled.Token));
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => search);
    }

    /// <summary>A simulation looks at its token while it runs, not only before it begins.</summary>
    [Fact]
    public void Simulate_CancelledWhileItRuns_Stops()
    {
        using var cancelled = new CancellationTokenSource();
        var fleet = FleetSpecs.From(FleetBasis.From(new RunSpec(), cpuMs: 0, overheadMs: null), 1);
        var spec = fleet with { Duration = TimeSpan.FromDays(20), MaxOperations = long.MaxValue, Throughput = 10_000 };
        cancelled.CancelAfter(TimeSpan.FromMilliseconds(300));
        Assert.Throws<OperationCanceledException>(() => VirtualFleet.Simulate(spec, cancelled.Token));
    }

    /// <summary>Some of the questions of <c>bench size-questions</c>, one of each kind.</summary>
    [Fact]
    public void Find_PlantedQuestionsOfEachKind_AreRight() => Assert.All(
        ShapedQuestion.From(seed: 5, count: 5), question => Assert.Null(question.WhyWrong()));

    /// <summary>The questions of a budget meeting of <c>bench size-questions</c>.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_BudgetQuestions_AreRight() => Assert.All(BudgetQuestion.All, question => Assert.Null(question.WhyWrong()));

    /// <summary>A load with twice the CPU takes its own cheapest time, as it does when it is asked directly.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Find_LoadWithOtherCpu_IsTheAnswerToItsOwnQuestion()
    {
        var spec = new RunSpec { Documents = 20_000_000 };
        var question = new SizeQuestion(spec.Documents / 18_000.0, Condition(null), Prices) { Within = TimeSpan.FromHours(5) };
        var row = Find(FleetBasis.From(spec, cpuMs: 1, overheadMs: null), question).Dependences
            .Single(one => one.If.EndsWith("(twice)", StringComparison.Ordinal));
        var asked = Find(FleetBasis.From(spec, cpuMs: 2, overheadMs: null), question);

        Assert.Equal(asked.Settings, row.Fleet!.Settings);
        Assert.Contains(Numbers.About(asked.LoadCost!.Seconds), row.Then, StringComparison.Ordinal);
    }

    /// <summary>
    /// A page of each partition with one look-up is 2.8 RU. Of 1,000 owners, each has a thousandth of the documents, which are found and
    /// returned whole for 0.018 RU and 0.036 for each KB.
    /// </summary>
    [Fact]
    public void ChargeOn_QueryOfAllPartitions_GrowsWithPartitionsAndWhatIsStored()
    {
        var spec = Keyed("{{key}}") with
        {
            Document = new()
            {
                Kind = DocumentKind.Template,
                Template = """{"id": "{{id}}", "k": "{{key}}", "owner": "o-{{random:int:1:1000}}", "text": "{{random:text:100}}"}""",
            },
            Documents = 500_000,
            Workload = new()
            {
                Mix = new() { Insert = 50, Query = 50 },
                Query = new()
                {
                    Text = "SELECT * FROM c WHERE c.owner = @o",
                    Parameters = [new() { Name = "@o", Value = "\"{{field:owner}}\"" }],
                },
            },
        };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        var each = 0.018 + (0.036 * (basis.BytesPerDocument + 205) / 1_024);
        double Query(double documents, int partitions) => (partitions * 2.8) + ((1 + (documents / 1_000)) * each);
        var insert = basis.ChargeOf(WorkloadKind.Insert, 1);

        Assert.InRange(basis.ChargeOn(1), 0.97 * (insert + Query(5e5, 1)) / 2, 1.03 * (insert + Query(5e5, 1)) / 2);
        Assert.Equal(9 * 2.8 / 2, basis.ChargeOn(10) - basis.ChargeOn(1), 6);
        var grown = basis.Storing(3e6);
        Assert.InRange(grown.ChargeOn(10), 0.97 * (insert + Query(3e6, 10)) / 2, 1.03 * (insert + Query(3e6, 10)) / 2);
    }

    [Theory]
    [InlineData(WorkloadKind.Delete, 0)]
    [InlineData(WorkloadKind.Patch, 0)]
    [InlineData(WorkloadKind.Upsert, 1)]
    public void SentShareOf_Kind_CountsWholeDocuments(WorkloadKind kind, double share) =>
        Assert.Equal(share, FleetSpecs.From(FleetBasis.From(new RunSpec { Workload = new() { Kind = kind } }, 0.25, null), 1).SentShare);

    private static LimitCondition Condition(string? until, params WorkloadKind[] kinds) =>
        LimitCondition.Parse(until, FleetForecast.ConditionNames(kinds)).Value!;

    private static SizeResult Find(FleetBasis basis, SizeQuestion question) => FleetSearch.Find(basis, question);
}
