namespace ScaleOut.Tests.Analysis.Reports.Building;

/// <summary>The most RU that a container can give in any time. One worker has two operations of 5 RU in flight.</summary>
public sealed class BudgetChecksTests
{
    // 20 RU may be in flight, and two seconds of the budget may lie at the edges.
    [Theory]
    [InlineData(1_000, 10, 13_000, true)]
    [InlineData(1_000, 10, 13_050, false)]
    [InlineData(4_000, 100, 448_000, true)]
    [InlineData(4_000, 100, 449_000, false)]
    [InlineData(4_000, 120, 1_339_920, false)]
    public void Build_MoreThanTheBudgetGives_IsAnErrorThatNamesTheTimeAndItsLegs(double budget, int seconds, double charged, bool canBe)
    {
        var report = Build(budget, [.. Enumerable.Repeat(charged / seconds, seconds)]);

        Assert.Equal(canBe, report.TimeErrors.Count == 0);
        Assert.Equal(canBe ? RunState.Complete : RunState.Incomplete, report.State);
        if (!canBe)
        {
            Assert.Contains("leg 1 of worker 0 were charged", report.TimeErrors[0], StringComparison.Ordinal);
            var time = $"from 1970-01-01 00:16:40 UTC to {Legs.Zero.AddSeconds(seconds):yyyy-MM-dd HH:mm:ss} UTC";
            Assert.StartsWith(time, report.TimeErrors[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Build_PeakWithinAQuietRun_IsFound()
    {
        double[] quiet = [.. Enumerable.Repeat(100.0, 200)];
        var report = Build(1_000, [.. quiet, 1_900, 1_900, 1_900, 1_900, .. quiet]);
        var error = Assert.Single(report.TimeErrors);
        AssertText.Has(error, "from 1970-01-01 00:20:00 UTC to 1970-01-01 00:20:04 UTC", "1,900 RU/s");
    }

    [Theory]
    [InlineData(true, null, 2_900, true)]
    [InlineData(true, true, 2_900, true)]
    [InlineData(true, false, 2_900, false)]
    [InlineData(false, null, 2_900, true)]
    [InlineData(false, null, 3_900, false)]
    public void Build_BurstCredit_IsAllowedWhereThereMayBeSome(bool simulated, bool? burst, double perSecond, bool canBe)
    {
        var spec = Spec with { Simulation = burst is { } flag ? new SimulationSpec { Burst = flag } : null };
        // 1,000 RU/s bank up to 300,000 RU, to be spent at up to 3,000 RU/s.
        Assert.Equal(canBe, Build(1_000, [.. Enumerable.Repeat(perSecond, 60)], spec, simulated).TimeErrors.Count == 0);
    }

    [Fact]
    public void Build_MoreThanTheBurstBankHolds_IsAnError() =>
        Assert.NotEmpty(Build(1_000, [.. Enumerable.Repeat(2_900.0, 240)], Spec with { Simulation = null }, simulated: false).TimeErrors);

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Build_OnePartitionAboveItsShare_IsAnErrorWhereSharesAreKnown(bool simulated, bool canBe)
    {
        double[] hot = [.. Enumerable.Repeat(6_500.0, 10)];
        double[] idle = [.. Enumerable.Repeat(0.0, 10)];
        var leg = Leg(hot) with { Partitions = [Legs.Partition("", "20", 0, hot), Legs.Partition("20", "FF", 0, idle)] };
        var report = RunReportBuilder.Build(Ending(8_000, Spec, simulated), new RunLegs([leg], 0));
        Assert.Equal(canBe, report.TimeErrors.Count == 0);
        if (!canBe)
            Assert.Contains("the physical partition -20 with 4,000 RU/s allows at most", report.TimeErrors[0], StringComparison.Ordinal);
    }

    /// <summary>
    /// Of 3 partitions with 3,000 RU/s each, one is split while the leg goes on: its two parts have 2,250 RU/s each, 4,500 together. Of 3
    /// that become 2, the merged one has 4,500. One that is full may split as often as it likes.
    /// </summary>
    [Theory]
    [InlineData(0, 0, 1, 3_000, true)]
    [InlineData(0, 0, 1, 4_500, false)]
    [InlineData(1, 0, 1, 4_500, true)]
    [InlineData(1, 0, 1, 6_000, false)]
    [InlineData(0, 1, 1, 4_500, true)]
    [InlineData(0, 1, 1, 6_000, false)]
    [InlineData(0, 0, 2, 6_000, true)]
    public void Build_PartitionsChangeDuringALeg_AllowsWhatTheNewOnesHave(
        int splits, int merges, int storageFactor, double perSecond, bool canBe)
    {
        var spec = Spec with
        {
            Simulation = new SimulationSpec
            {
                Splits = [.. Enumerable.Range(0, splits).Select(_ => new PartitionSplit())],
                Merges = [.. Enumerable.Range(0, merges).Select(_ => new PlannedMerge())],
                StorageFactor = storageFactor,
                Burst = false,
            },
        };
        var leg = Uneven(60, ("", "10", 0), ("10", "20", 0), ("20", "FF", perSecond));
        var report = RunReportBuilder.Build(Ending(9_000, spec, simulated: true), new RunLegs([leg], 0));
        Assert.Equal(canBe, report.TimeErrors.Count == 0);
    }

    /// <summary>Both parts of a partition that is split burst, up to 3,000 RU/s each, from what the partition has saved.</summary>
    [Theory]
    [InlineData(0, false)]
    [InlineData(1, true)]
    public void Build_PartitionWithBurstsIsSplitDuringALeg_BothPartsBurst(int splits, bool canBe)
    {
        var spec = Spec with
        {
            Simulation = new SimulationSpec { Burst = true, Splits = [.. Enumerable.Range(0, splits).Select(_ => new PartitionSplit())] },
        };
        var leg = Uneven(20, ("", "10", 0), ("10", "20", 0), ("20", "FF", 5_500));
        Assert.Equal(
            canBe, RunReportBuilder.Build(Ending(6_000, spec, simulated: true), new RunLegs([leg], 0)).TimeErrors.Count == 0);
    }

    /// <summary>30,000 RU/s need a third partition. The one of two that is split for it gives 20,000 by both its parts.</summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void Build_PartitionIsSplitForRaisedThroughputDuringALeg_AllowsWhatItsPartsHave(bool raised, bool canBe)
    {
        var ending = Ending(raised ? 15_000 : 30_000, Spec, simulated: true);
        if (raised)
            ending = ending with { ThroughputChanges = [new AppliedThroughput(30_000, Legs.Zero.AddSeconds(-2))] };
        var report = RunReportBuilder.Build(ending, new RunLegs([Uneven(60, ("", "20", 20_000), ("20", "FF", 0))], 0));
        Assert.Equal(canBe, report.TimeErrors.Count == 0);
        if (!canBe)
            return;
        // It uses all of the RU/s of the one partition that the leg began with, and more.
        Assert.Null(report.Utilization!.PartitionSecondsAtLimit);
        Assert.NotEqual(BoundBy.Partition, report.BoundBy);
        Assert.Contains(report.Warnings, text => text.EndsWith("than one partition had for -20.", StringComparison.Ordinal));
    }

    /// <summary>The partition that is full has 10,000 of 20,000 RU/s until the other one is split, and a third of them after it.</summary>
    [Fact]
    public void Build_AnotherPartitionIsSplit_StillNamesTheFullOne()
    {
        var before = Uneven(60, ("", "20", 3_000), ("20", "FF", 10_000));
        var after = Uneven(10, ("", "10", 1_500), ("10", "20", 1_500), ("20", "FF", 6_666));
        after = after with
        {
            Output = after.Output with { Leg = 2 },
            StartedAt = Legs.Zero.AddSeconds(60),
            EndedAt = Legs.Zero.AddSeconds(70),
            Seconds = [.. after.Seconds.Select(sample => sample with { Second = sample.Second + 60 })],
            Partitions = [.. after.Partitions.Select(one => one with { FirstSecond = one.FirstSecond + 60 })],
        };
        var spec = Spec with { Simulation = new SimulationSpec { Splits = [new PartitionSplit()], Burst = false } };

        var report = RunReportBuilder.Build(Ending(20_000, spec, simulated: true), new RunLegs([before, after], 0));

        Assert.Empty(report.TimeErrors);
        Assert.InRange(report.Utilization!.PartitionSecondsAtLimit!.Value, 0.9, 1);
        Assert.DoesNotContain(report.Warnings, text => text.Contains("while legs went on", StringComparison.Ordinal));
    }

    [Fact]
    public void Build_BudgetIsNotKnown_ChecksNothing() => Assert.Empty(Build(null, [1e9, 1e9, 1e9]).TimeErrors);

    [Theory]
    [InlineData(400, 400, 4_000.0, "had 400 RU/s before the first write and 4,000 RU/s at the end")]
    [InlineData(400, 4_000, 4_000.0, "asks for 400 RU/s, and the container had 4,000 RU/s before the first write")]
    [InlineData(400, 400, 400.0, null)]
    [InlineData(400, 400, null, null)]
    public void Build_ThroughputIsNotWhatItWas_SaysSo(int asked, int before, double? after, string? warning)
    {
        var ending = Ending(before, Spec with { Container = new() { Throughput = asked } }, simulated: true);
        var report = RunReportBuilder.Build(
            ending with { Verification = new Verification(100) { BudgetPerSecond = after } }, new RunLegs([Leg([100])], 0));
        var said = report.Warnings.Where(text => text.Contains("RU/s before the first write", StringComparison.Ordinal)).ToList();
        Assert.Equal(warning is null ? 0 : 1, said.Count);
        Assert.All(said, text => Assert.Contains(warning!, text, StringComparison.Ordinal));
    }

    /// <summary>Of a database that is there, nobody asks for RU/s.</summary>
    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void Build_ThroughputOfADatabase_IsAskedForOnlyOfTheSimulatedAccount(bool simulated, int warnings)
    {
        var spec = Spec with { Simulation = null, Container = new() { SharedThroughput = true } };
        var report = Build(7_000, [100], spec, simulated);
        Assert.Equal(warnings, report.Warnings.Count(text => text.StartsWith("The spec asks for 60,000", StringComparison.Ordinal)));
        Assert.Equal(
            simulated ? "60,000 RU/s, shared by the database" : "that of the database",
            RunSettings.RowsOf(report.Spec, report.Simulated).Single(row => row.Name == "Throughput").Value);
    }

    private static RunSpec Spec => new()
    {
        Id = "test", Documents = 100, Workers = 1, LegDuration = TimeSpan.FromMinutes(10), Client = new ClientSpec { Concurrency = 2 },
        Simulation = new SimulationSpec(),
    };

    private static RunReport Build(double? budget, double[] perSecond, RunSpec? spec = null, bool simulated = true) =>
        RunReportBuilder.Build(Ending(budget, spec ?? Spec, simulated), new RunLegs([Leg(perSecond)], 0));

    private static LegResult Leg(double[] perSecond) => Legs.Leg(to: perSecond.Length, inserted: 100)
        .Charged(perSecond.Sum()) with
    {
        Seconds =
        [
            .. perSecond.Select((charged, i) => new SecondSample
            {
                Second = 1_000 + i, Counts = new() { RequestUnits = RequestUnits.From(charged) },
            }),
        ],
        Operations = (long)perSecond.Sum() / 5,
    };

    /// <summary>A leg with so many RU in each second for each range of keys.</summary>
    private static LegResult Uneven(int seconds, params (string Min, string Max, double PerSecond)[] ranges) =>
        Leg([.. Enumerable.Repeat(ranges.Sum(range => range.PerSecond), seconds)]) with
        {
            Partitions =
            [
                .. ranges.Select(range =>
                    Legs.Partition(range.Min, range.Max, 0, [.. Enumerable.Repeat(range.PerSecond, seconds)])),
            ],
        };

    private static RunEnding Ending(double? budget, RunSpec spec, bool simulated) => new()
    {
        Spec = spec,
        StartedAt = Legs.Zero,
        FinishedAt = Legs.Zero.AddMinutes(10),
        Container = new()
        {
            Target = new("scaleout", "run-test", "/PartitionKey"), Created = true, Simulated = simulated, CountBefore = 0,
            BudgetPerSecond = budget,
        },
        Workers = [new() { Worker = 0, End = WorkerState.Done, Counts = new() { Inserted = 100 }, Remaining = 0 }],
        Verification = new Verification(100),
    };
}
