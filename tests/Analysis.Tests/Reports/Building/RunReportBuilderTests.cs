using static ScaleOut.Tests.Support.Runs.BuiltReports;

namespace ScaleOut.Tests.Analysis.Reports.Building;

public sealed class RunReportBuilderTests
{
    [Fact]
    public void Build_TwoWorkers_CountsRatesByHand()
    {
        // The overlap begins after the warm-up of 2 s and ends with worker 0 at 10 s: eight seconds with 10 + 5 documents each.
        var report = Build(Ending(verified: 200),
            Legs.Leg(0, from: 0, to: 10, inserted: 100).Charged(570).With(counts => counts with { Attempts = 100 }) with
            { Seconds = Legs.Seconds(0, 10, inserted: 10, requestUnits: 57), OpeningRequestUnits = RequestUnits.From(3) },
            Legs.Leg(1, from: 0, to: 20, inserted: 100)
                .Charged(570, ofThrottled: 3.8).With(counts => counts with { Attempts = 110, Throttled = 10 }) with
            {
                Seconds = Legs.Seconds(0, 20, inserted: 5, requestUnits: 28.5),
            });

        Assert.Equal((RunState.Complete, BoundBy.Latency), (report.State, report.BoundBy));
        Assert.True(report.Throughput is { OverlapSeconds: 8, OverlapPerSecond: 15, MakespanPerSecond: 10 }, $"{report.Throughput}");
        Assert.Equal((10.0, 10.0), (report.Workers[0].Throughput.OverlapPerSecond, report.Workers[0].Throughput.MakespanPerSecond));
        Assert.Equal((5.0, 5.0), (report.Workers[1].Throughput.OverlapPerSecond, report.Workers[1].Throughput.MakespanPerSecond));
        Assert.Equal((1_140, 5.7), (report.RequestUnits.Total, report.RequestUnits.PerInsert));
        Assert.Equal((85.5, 85.5), (report.RequestUnits.PerSecondMean, report.RequestUnits.PerSecondPeak));
        Assert.Equal((1_000.0, 3.0), (report.RequestUnits.BudgetPerSecond, report.RequestUnits.Opening));
        Assert.Equal((210, 10, 3.8), (report.Requests.Attempts, report.Requests.Throttled, report.RequestUnits.Throttled));
        Assert.Equal((20, 8), (report.Series.Count, report.Series.Count(point => point.Overlap)));
        Assert.Equal(15, report.Series[3].Counts.Inserted);
    }

    [Fact]
    public void Build_ShortRun_HasNoOverlapRateAndSaysSo()
    {
        var report = Build(Ending(verified: 200),
            Legs.Leg(0, to: 4, inserted: 100) with { Seconds = Legs.Seconds(0, 4, inserted: 25) },
            Legs.Leg(1, to: 4, inserted: 100) with { Seconds = Legs.Seconds(0, 4, inserted: 25) });
        Assert.True(report.Throughput is { OverlapSeconds: 2, OverlapPerSecond: null, MakespanPerSecond: 50 }, $"{report.Throughput}");
        Assert.NotNull(report.BoundBy);
        AssertText.AnyHas(report.Warnings, "2 whole seconds only");
    }

    /// <summary>Rates leave out the first seconds with cold connections, so percentiles leave them out too.</summary>
    [Fact]
    public void Build_Latencies_LeaveOutTheWarmupOfTheFirstLegAlone()
    {
        LegResult Leg(int leg, double from, double to) => Legs.Leg(0, leg, from, to, inserted: 50) with
        {
            Seconds = Legs.Seconds((int)from, (int)(to - from), inserted: 5),
            OperationLatency = Histogram((5, 900), (45, 10)),
            AttemptLatency = Histogram((5, 900), (45, 10)),
            WarmOperationLatency = Histogram((45, 10)),
            WarmAttemptLatency = Histogram((45, 10)),
        };
        var first = Build(EndingOfOne(verified: 100), Leg(1, 0, 10)).LatencyMs;
        var both = Build(EndingOfOne(verified: 100), Leg(1, 0, 10), Leg(2, 10, 20)).LatencyMs;

        Assert.Equal((false, true), (first.IncludesWarmup, first.ClosedLoop));
        Assert.InRange(first.Operation.P99!.Value, 9.9, 10.1);
        Assert.InRange(first.Attempt.Max!.Value, 9.9, 10.1);
        // The slow operations at the start of the second leg count: its client was warm already.
        Assert.InRange(both.Operation.Max!.Value, 899, 901);
        Assert.Equal((90 * 10 + 5 * 900) / 95.0, both.Operation.Mean!.Value, 0.1);
    }

    [Fact]
    public void Build_LatenciesWithoutOverlap_CoverTheWholeRunAsItsRateDoes()
    {
        var leg = Legs.Leg(0, to: 4, inserted: 200) with
        {
            Seconds = Legs.Seconds(0, 4, inserted: 50),
            OperationLatency = Histogram((5, 900), (45, 10)),
            WarmOperationLatency = Histogram((45, 10)),
        };
        var latency = Build(EndingOfOne(verified: 200), leg).LatencyMs;
        Assert.True(latency.IncludesWarmup);
        Assert.InRange(latency.Operation.Max!.Value, 899, 901);
    }

    [Fact]
    public void Build_CpuOfOneBusySecond_StandsBesideTheMean()
    {
        IReadOnlyList<SecondSample> seconds =
        [
            .. Legs.Seconds(0, 9, inserted: 10, cpuSeconds: 0.4, machine: 0.3),
            .. Legs.Seconds(9, 1, inserted: 10, cpuSeconds: 1.9, machine: 0.98),
        ];
        var report = Build(EndingOfOne(verified: 100), Legs.Leg(0, inserted: 100) with { Seconds = seconds });

        // Eight seconds after two of warm-up, on two cores.
        Assert.Equal(((7 * 0.2) + 0.95) / 8, report.Utilization!.Client!.Value, 3);
        Assert.Equal((0.95, 0.98), (report.Utilization.ClientMax, report.Utilization.MachineMax));
        Assert.Equal(0.95, report.Workers[0].CpuShareMax);
        Assert.Contains("29% (at most 95%)", Sentences.Bound(report), StringComparison.Ordinal);
    }

    /// <summary>The RU per second and their share of the budget cover the same seconds.</summary>
    [Fact]
    public void Build_ShortRun_HasItsRequestUnitsAndTheirShareFromTheSameSeconds()
    {
        // Two seconds of warm-up with little charged, then two at the budget.
        IReadOnlyList<SecondSample> seconds =
            [.. Legs.Seconds(0, 2, inserted: 10, requestUnits: 50), .. Legs.Seconds(2, 2, inserted: 40, requestUnits: 500)];
        var report = Build(Ending(verified: 200),
            Legs.Leg(0, to: 4, inserted: 100).Charged(1_100) with { Seconds = seconds },
            Legs.Leg(1, to: 4, inserted: 100).Charged(1_100) with { Seconds = seconds });

        Assert.Null(report.Throughput.OverlapPerSecond);
        Assert.Equal(1, report.Utilization!.RequestUnits);
        Assert.Equal(1_000, report.RequestUnits.PerSecondMean);
    }

    /// <summary>
    /// The eight seconds after the warm-up: up to the one of the change with 1,000 RU/s, the four after it with 3,000, so 2,000 on average.
    /// </summary>
    [Fact]
    public void Build_ThroughputIsChanged_SharesAreOfTheRequestUnitsOfEachSecond()
    {
        var leg = Legs.Leg(0, to: 10, inserted: 100).Charged(2_500) with
        {
            Seconds = Legs.Seconds(0, 10, inserted: 10, requestUnits: 250),
        };
        var other = Legs.Leg(1, to: 10, inserted: 100).Charged(2_500) with { Seconds = leg.Seconds };
        RunReport BuildWith(double after) => Build(
            Ending(verified: 200) with
            {
                ThroughputChanges = [new AppliedThroughput(3_000, Legs.Zero.AddSeconds(5.5))],
                ThroughputFailures = ["The RU/s were not set to 9000 after 6 s: the subscription has no more"],
                Verification = new Verification(200) { BudgetPerSecond = after },
            },
            leg, other);

        var report = BuildWith(after: 3_000);
        Assert.Equal((500.0, 2_000.0, 0.25),
            (report.RequestUnits.PerSecondMean, report.RequestUnits.BudgetPerSecond, report.Utilization!.RequestUnits));
        Assert.Equal(3_000, Assert.Single(report.ThroughputChanges!).Throughput);
        Assert.Contains(report.Warnings, warning => warning.Contains("3,000 RU/s from", StringComparison.Ordinal));
        Assert.Contains(report.Warnings, warning => warning.StartsWith("The RU/s were not set to 9000", StringComparison.Ordinal));
        Assert.Equal("comparisons with other runs", Assert.Single(report.Invalid).What);
        Assert.Equal(2, BuildWith(after: 1_000).Invalid.Count);
    }

    [Fact]
    public void Build_WorkerWithoutLegs_KeepsTheCountsBalanced()
    {
        var report = Build(
            Ending(verified: 90, WorkerState.Done, WorkerState.Failed), Legs.Leg(0, inserted: 80, alreadyPresent: 10, failed: 4));
        Assert.True(report.Documents is { Asked: 200, Inserted: 80, AlreadyPresent: 10, Failed: 4, Remaining: 106 }, $"{report.Documents}");
        Assert.Equal(100, report.Workers[1].Documents.Remaining);
        Assert.Null(report.Workers[1].Machine);
        Assert.Null(report.Workers[1].LatencyMs.Operation.P50);
        Assert.Equal(RunState.Failed, report.State);
        Assert.Contains("Worker 1 could not go on: the account is gone", report.Warnings);
    }

    [Fact]
    public void Build_NoLegs_IsAFailedReportWithItsReasons()
    {
        var ending = new RunEnding { Spec = Spec, StartedAt = Legs.Zero, FinishedAt = Legs.Zero, Rejections = ["the key is wrong"] };
        var report = Build(ending);
        Assert.Equal(RunState.Failed, report.State);
        Assert.Equal(200, report.Documents.Remaining);
        Assert.Null(report.BoundBy);
        Assert.Null(report.Throughput.MakespanPerSecond);
        Assert.Empty(report.Series);
        Assert.Equal(["The run could not start: the key is wrong"], report.Warnings);
    }

    [Fact]
    public void Build_InstantsAtTheEdgesOfTime_AreTimeErrorsAndNoExceptions()
    {
        var never = new RunEnding { Spec = Spec, StartedAt = default, FinishedAt = default, Rejections = ["no"] };
        Assert.Equal(RunState.Failed, Build(never).State);
        var leg = Legs.Leg(0, inserted: 100) with { StartedAt = DateTimeOffset.MinValue, EndedAt = DateTimeOffset.MaxValue };
        Assert.NotEmpty(Build(Ending(verified: 200), leg, Legs.Leg(1, inserted: 100)).TimeErrors);
    }

    [Fact]
    public void Build_StoppedInPreparation_IsStoppedAndNotFailed()
    {
        var report = Build(new RunEnding { Spec = Spec, StartedAt = Legs.Zero, FinishedAt = Legs.Zero, StoppedInPreparation = true });
        Assert.Equal(RunState.Stopped, report.State);
        Assert.Equal(["The run was stopped while its container was being prepared."], report.Warnings);
    }

    [Theory]
    [InlineData(200L, WorkerState.Done, RunState.Complete)]
    [InlineData(199L, WorkerState.Done, RunState.Incomplete)]
    [InlineData(201L, WorkerState.Done, RunState.Incomplete)]
    [InlineData(null, WorkerState.Done, RunState.Incomplete)]
    [InlineData(200L, WorkerState.Stopped, RunState.Complete)]
    [InlineData(199L, WorkerState.Stopped, RunState.Stopped)]
    [InlineData(200L, WorkerState.Failed, RunState.Failed)]
    public void Build_VerifiedAndEnds_DecideTheState(long? verified, WorkerState second, RunState state) =>
        Assert.Equal(
            state, Build(Ending(verified, WorkerState.Done, second), Legs.Leg(0, inserted: 100), Legs.Leg(1, inserted: 100)).State);

    /// <summary>Reads do not change the container's count, so the count does not show failed reads.</summary>
    [Theory]
    [InlineData(0, RunState.Complete)]
    [InlineData(3, RunState.Incomplete)]
    public void Build_ReadsThatFailed_KeepTheRunFromBeingComplete(int failed, RunState state)
    {
        var ending = Ending(verified: null) with { Spec = Spec with { Workload = new() { Kind = WorkloadKind.Read } } };
        Assert.Equal(state, Build(ending, Legs.Leg(0, inserted: 100 - failed, failed: failed), Legs.Leg(1, inserted: 100)).State);
    }

    [Fact]
    public void Build_Legs_MergeLatenciesIdleTimesAndMachines()
    {
        var first = Legs.Leg(0, 1, from: 0, to: 10, inserted: 50, end: LegEnd.TimeUp) with
        { StartLatenessMs = 1_500, Machine = Machine("a", cpu: 8) };
        var second = Legs.Leg(0, 2, from: 10.25, to: 20.25, inserted: 50) with { Machine = Machine("b", cpu: 12) };
        first.OperationLatency.Record(TimeSpan.FromMilliseconds(1));
        second.OperationLatency.Record(TimeSpan.FromMilliseconds(3));
        var worker = Build(Ending(verified: 200), first, second, Legs.Leg(1, inserted: 100)).Workers[0];

        Assert.Equal((0.25, 1_500, 20), (worker.IdleBetweenLegsSeconds, worker.StartLatenessMs, worker.CpuSeconds));
        Assert.Equal(("b", 0.5), (worker.Machine!.InstanceId, worker.Machine.CpuShare));
        Assert.Equal([2, 4], worker.Machine.Collections);
        Assert.Equal(0.25, worker.RoundTripMs);
        Assert.Equal((2.0, 3.0), (worker.LatencyMs.Operation.Mean, worker.LatencyMs.Operation.Max));
    }

    [Theory]
    [InlineData(100_000, true, false)]
    [InlineData(100_100, true, true)]
    [InlineData(100_100, false, false)]
    public void Build_SimulatedPartitionsWithBudgetsNoRealOneHas_Warns(int throughput, bool simulated, bool warns)
    {
        var spec = new RunSpec { Id = "sample", Documents = 1_000, Container = new ContainerSpec { Throughput = throughput } };
        var report = new RunSample { Spec = spec, Partitions = 10, Seconds = 10, Simulated = simulated }.Build();
        Assert.Equal(warns, report.Warnings.Any(warning => warning.Contains("no partition of a real account", StringComparison.Ordinal)));
        Assert.Equal(warns, report.LayoutIsCapped);
    }

    [Theory]
    [InlineData(300_000, false, null, true)]
    [InlineData(300_000, false, 32, false)]
    [InlineData(300_000, true, null, false)]
    [InlineData(192_000, false, null, false)]
    public void Build_FewerPartitionsThanTheServiceGives_SaysSo(int throughput, bool autoscale, int? asked, bool capped)
    {
        var spec = new RunSpec
        {
            Id = "sample", Documents = 1_000, Container = new ContainerSpec { Throughput = throughput, Autoscale = autoscale },
            Simulation = new SimulationSpec { PhysicalPartitions = asked },
        };
        var report = new RunSample { Spec = spec, Partitions = 32, Seconds = 10 }.Build();
        Assert.Equal(capped, report.LayoutIsCapped);
        Assert.Equal(capped, report.Warnings.Contains("The container has 32 physical partitions; a real account gives it 50."));
    }

    [Fact]
    public void Build_SharedLateAndLostWorkers_WarnsOfEach()
    {
        var report = RunReportBuilder.Build(Ending(verified: 200), new RunLegs(
            [
                Legs.Leg(0, inserted: 60, alreadyPresent: 40) with { StartLatenessMs = 2_500, Warnings = ["slow disk"] },
                Legs.Leg(1, inserted: 100) with { Warnings = ["slow disk"] },
            ],
            LostLegs: 1)
        { Start = new StartInstant(Legs.Zero.AddSeconds(-2.5), Ready: 2) });

        Assert.Equal(1, report.DistinctInstances);
        Assert.Contains("2 workers ran on 1 distinct instance: they shared cores, memory and network.", report.Warnings);
        Assert.Contains("Worker 0 started late, by up to 2.5 s.", report.Warnings);
        Assert.Contains("Workers 0-1: slow disk", report.Warnings);
        Assert.Contains(report.Warnings, warning => warning.StartsWith("1 leg left no result.", StringComparison.Ordinal));
    }

    [Fact]
    public void Build_FailedDocuments_ListsTheFirstReasons()
    {
        var report = Build(
            Ending(verified: 197),
            Legs.Leg(0, inserted: 97, failed: 3) with { Failures = ["7: 413 too large", "9: 413 too large", "11: 400"] },
            Legs.Leg(1, inserted: 100));
        Assert.Equal(RunState.Incomplete, report.State);
        Assert.Equal(3, report.Failures.Count);
        Assert.Contains("3 documents failed for good. The first: 7: 413 too large; 9: 413 too large; 11: 400", report.Warnings);
    }

    [Fact]
    public void Build_HotPartition_IsBoundByPartition()
    {
        // Budget 1,000 RU/s over two partitions: 500 each. The first is at 480 (96%) in six of the eight seconds.
        double[] hot = [0, 0, 480, 480, 480, 480, 480, 480, 100, 100];
        var leg = Legs.Leg(0, inserted: 100) with
        {
            Seconds = Legs.Seconds(0, 10, requestUnits: 600),
            Partitions = [Legs.Partition("", "20", 0, hot), Legs.Partition("20", "FF", 0, [.. Enumerable.Repeat(120.0, 10)])],
        };
        var report = Build(Ending(verified: 200), leg, Legs.Leg(1, inserted: 100));

        Assert.Equal(BoundBy.Partition, report.BoundBy);
        Assert.Equal((0.75, 0.6), (report.Utilization!.PartitionSecondsAtLimit, report.Utilization.RequestUnits));
        Assert.Equal([500.0, 500.0], report.Partitions.Select(partition => partition.BudgetPerSecond));
    }

    /// <summary>A more even spread of the keys would help neither a single partition nor two with equal load.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Build_OnlyPartitionOrEvenlyFullOnes_AreNotBlamed(bool only)
    {
        double[] full = [0, 0, 480, 480, 480, 480, 480, 480, 100, 100];
        PartitionSample[] partitions = only
            ? [Legs.Partition("", "FF", 0, [.. full.Select(units => units * 2)])]
            : [Legs.Partition("", "20", 0, full), Legs.Partition("20", "FF", 0, full)];
        var leg = Legs.Leg(0, inserted: 100) with { Seconds = Legs.Seconds(0, 10, requestUnits: 600), Partitions = partitions };
        var report = Build(Ending(verified: 200), leg, Legs.Leg(1, inserted: 100));
        Assert.Null(report.Utilization!.PartitionSecondsAtLimit);
        Assert.Equal(BoundBy.Latency, report.BoundBy);
    }

    [Theory]
    [InlineData(1.6, 0.5, BoundBy.Client)]
    [InlineData(1.5, 0.9, BoundBy.Machine)]
    [InlineData(1.5, 0.89, BoundBy.Latency)]
    public void Build_CpuOfWorkersAndMachine_DecidesByShares(double cpuSeconds, double machine, BoundBy expected)
    {
        var report = Build(Ending(verified: 200),
            Legs.Leg(0, inserted: 100) with { Seconds = Legs.Seconds(0, 10, cpuSeconds: cpuSeconds, machine: machine) },
            Legs.Leg(1, inserted: 100, instance: "b") with { Seconds = Legs.Seconds(0, 10, cpuSeconds: 0.1, machine: 0.2) });
        Assert.Equal(expected, report.BoundBy);
        Assert.Equal(machine, report.Utilization!.Machine);
    }

    [Theory]
    [InlineData(true, BoundBy.Rate)]
    [InlineData(false, BoundBy.Latency)]
    public void Build_OpenLoop_IsBoundByRateWhenItKeptTheSchedule(bool kept, BoundBy expected)
    {
        var report = Build(
            Ending(verified: 200) with { Spec = Spec with { Client = new() { Rate = 10 } } },
            Legs.Leg(0, inserted: 100) with { Seconds = Legs.Seconds(0, 10), KeptSchedule = kept },
            Legs.Leg(1, inserted: 100) with { KeptSchedule = true });
        Assert.Equal(expected, report.BoundBy);
    }

    /// <summary>Two workers may use 600 RU/s together, and their schedule asks for more.</summary>
    [Theory]
    [InlineData(300, BoundBy.Rate)]
    [InlineData(200, BoundBy.Latency)]
    public void Build_OpenLoopWithRequestUnitsOfItsOwn_IsBoundByThemWhenItUsedThem(double each, BoundBy expected)
    {
        var spec = Spec with
        { Client = new() { Rate = 1_000 }, Workload = new() { RequestUnitRate = 600 }, Container = new() { Throughput = 10_000 } };
        LegResult Leg(int worker) =>
            Legs.Leg(worker, inserted: 100) with { Seconds = Legs.Seconds(0, 10, requestUnits: each), KeptSchedule = false };
        Assert.Equal(expected, Build(Ending(verified: 200) with { Spec = spec, Container = null }, Leg(0), Leg(1)).BoundBy);
    }

    /// <summary>Each worker may use 300 RU/s of the container's 1,000 by an override, or worker 0 alone may.</summary>
    [Theory]
    [InlineData(true, null, 300, 300, BoundBy.Rate, true)]
    [InlineData(true, null, 300, 200, BoundBy.Latency, false)]
    [InlineData(false, null, 300, 400, BoundBy.Latency, false)]
    [InlineData(false, 10.0, 300, 400, BoundBy.Rate, false)]
    [InlineData(false, 10.0, 200, 400, BoundBy.Latency, false)]
    public void Build_WorkersWithRequestUnitsOfTheirOwn_AreJudgedByThese(
        bool both, double? rate, double first, double second, BoundBy expected, bool isFixed)
    {
        var spec = Spec with
        {
            WorkerOverrides =
            [
                new() { Workers = both ? [0, 1] : [0], RequestUnitRate = both ? 600 : 300 },
                new() { Workers = [1], Client = new() { Rate = rate } },
            ],
        };
        var report = Build(
            Ending(verified: 200) with { Spec = spec },
            Legs.Leg(0, inserted: 100) with { Seconds = Legs.Seconds(0, 10, requestUnits: first) },
            Legs.Leg(1, inserted: 100) with { Seconds = Legs.Seconds(0, 10, requestUnits: second), KeptSchedule = true });

        Assert.Equal((expected, isFixed), (report.BoundBy, Validity.RateIsFixed(report)));
        Assert.Equal(isFixed, Sentences.Bound(report)!.Contains("permit more RU/s", StringComparison.Ordinal));
    }

    /// <summary>A bank of 300,000 RU beside 1,000 RU/s lasts for 150 s at 3,000 RU/s, which is all that a partition gives.</summary>
    [Theory]
    [InlineData(60, 1_300, 0.433, BoundBy.Latency)]
    [InlineData(60, 3_000, 1, BoundBy.RequestUnits)]
    [InlineData(600, 1_000, 0.666, BoundBy.Latency)]
    [InlineData(600, 1_500, 1, BoundBy.RequestUnits)]
    public void Build_BurstCredit_IsJudgedByWhatTheBankStillGives(int seconds, double perSecond, double share, BoundBy expected)
    {
        var ending = EndingOfOne(verified: 100) with { FinishedAt = Legs.Zero.AddSeconds(seconds) };
        var report = Build(
            ending with { Spec = ending.Spec with { Simulation = new() { Burst = true, BurstBank = 1 } } },
            Legs.Leg(0, to: seconds, inserted: 100) with { Seconds = Legs.Seconds(0, seconds, requestUnits: perSecond) });

        Assert.Equal(expected, report.BoundBy);
        Assert.Equal(share, report.Utilization!.RequestUnits!.Value, 3);
    }
}
