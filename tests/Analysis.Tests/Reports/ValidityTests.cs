namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ValidityTests
{
    private static readonly RunReport Report = new RunSample().Build();

    [Theory]
    [InlineData(BoundBy.RequestUnits, 0.97, null, null, true)]
    [InlineData(BoundBy.RequestUnits, 0.969, null, null, false)]
    [InlineData(BoundBy.Partition, 0.3, 0.97, null, true)]
    [InlineData(BoundBy.Partition, 0.3, 0.969, null, false)]
    [InlineData(BoundBy.Latency, 0.3, 0.97, null, false)]
    [InlineData(BoundBy.Rate, 0.3, null, 0.97, true)]
    [InlineData(BoundBy.Machine, 0.3, null, 0.97, true)]
    [InlineData(BoundBy.Rate, 0.3, null, 0.969, false)]
    [InlineData(BoundBy.Errors, 1.0, 1.0, 1.0, false)]
    public void RateIsFixed_UsedShareOfABudget_CountsFrom97Percent(
        BoundBy bound, double container, double? partition, double? permitted, bool isFixed)
    {
        var report = Report with
        {
            BoundBy = bound,
            Utilization = new() { RequestUnits = container, PartitionRequestUnits = partition, PermittedRequestUnits = permitted },
        };
        Assert.Equal(isFixed, Validity.RateIsFixed(report));
    }

    /// <summary>With burst credit partitions may exceed their RU/s, so a slow machine can use just these.</summary>
    [Fact]
    public void RateIsFixed_BurstCredit_ABudgetSetsNoRate()
    {
        var report = Report with { BoundBy = BoundBy.RequestUnits, Utilization = new() { RequestUnits = 1 } };
        Assert.True(Validity.RateIsFixed(report));
        Assert.False(Validity.RateIsFixed(report with { Spec = report.Spec with { Simulation = new SimulationSpec { Burst = true } } }));
    }

    [Theory]
    [InlineData(990, true)]
    [InlineData(985, false)]
    public void RateIsFixed_OpenLoop_CountsFrom99PercentOfWhatWasAsked(double achieved, bool isFixed)
    {
        var report = Report with
        {
            BoundBy = BoundBy.Machine,
            Utilization = new() { Machine = 0.99 },
            Throughput = Report.Throughput with { AskedPerSecond = 1_000, OverlapPerSecond = achieved },
        };
        Assert.Equal(isFixed, Validity.RateIsFixed(report));
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(null, false)]
    public void RateIsFixed_StepsOfSeveralRates_CountIfTheScheduleWasKept(bool? kept, bool isFixed) => Assert.Equal(
        isFixed, Validity.RateIsFixed(Report with { BoundBy = BoundBy.Machine, Utilization = new() { KeptSchedule = kept } }));

    /// <summary>The first row is README's first run as it was on an idle machine with 20 in flight for each worker.</summary>
    [Theory]
    [InlineData(BoundBy.RequestUnits, 1.0, 0.54, true, "latencies")]
    [InlineData(BoundBy.RequestUnits, 0.96, 0.54, true, "rate and share of 429s, latencies")]
    [InlineData(BoundBy.RequestUnits, 0.96, 0.54, false, "")]
    [InlineData(BoundBy.RequestUnits, 1.0, 0.99, false, "")]
    [InlineData(BoundBy.Latency, 0.4, 0.54, true, "rate and share of 429s, latencies")]
    [InlineData(BoundBy.Latency, 0.4, 0.54, false, "")]
    [InlineData(BoundBy.Machine, 0.4, 0.99, false, "rate and share of 429s")]
    [InlineData(BoundBy.Client, 0.4, 0.99, false, "rate and share of 429s")]
    [InlineData(BoundBy.Client, 0.4, 0.54, false, "")]
    public void Of_BudgetMachineAndDelays_NamesOnlyWhatIsNotValid(
        BoundBy bound, double requestUnits, double machine, bool slipped, string invalid)
    {
        var report = Report with
        {
            BoundBy = bound,
            Utilization = new() { RequestUnits = requestUnits, Machine = machine },
            Delays = Delays(slipped),
        };
        Assert.Equal(invalid, string.Join(", ", Validity.Of(report).Select(one => one.What)));
    }

    [Fact]
    public void Of_LateDelaysAtTheBudget_SaysHowMuchAndThatTheRateStays()
    {
        var report = Report with
        {
            BoundBy = BoundBy.RequestUnits,
            Utilization = new() { RequestUnits = 1 },
            Delays = Delays(slipped: true),
            LatencyMs = Report.LatencyMs with { Attempt = new() { P50 = 17.5, P99 = 60 }, IncludesWarmup = false },
        };

        // The median response was 2 ms late, the p99 20 ms; then the attempts waited 10 and 27.5 ms besides 0.5 ms of CPU.
        Assert.Equal(
            "Latencies are in part this machine's and count for no finding about latencies: the machine was too busy: the simulated "
                + "account's responses came late (54% of them by more than 1 ms and 10%). Attempts: p50 17.5 ms, at least 12 ms of it this "
                + "machine's; p99 60 ms, at least 47.5 ms of it this machine's. The rate is the budget's; a faster machine would not "
                + "change it.",
            Assert.Single(Validity.Of(report)).Why);
    }

    [Theory]
    [InlineData(6.5, 13.5, BoundBy.RequestUnits, "")]
    [InlineData(6.6, 13.5, BoundBy.RequestUnits, "latencies")]
    [InlineData(6.5, 13.8, BoundBy.RequestUnits, "latencies")]
    [InlineData(6.6, 13.5, BoundBy.Latency, "rate and share of 429s, latencies")]
    [InlineData(6.6, 13.5, BoundBy.Client, "")]
    public void Of_AttemptsLongerThanTheAccountAndTheOwnCpu_LatenciesAreTheMachines(double p50, double p99, BoundBy bound, string invalid)
    {
        var report = Report with
        {
            BoundBy = bound,
            Utilization = new() { RequestUnits = 1, Machine = 0.5 },
            Delays = Delays(slipped: false) with { DeliveredMs = new() { P50 = 5, P99 = 12 } },
            LatencyMs = Report.LatencyMs with { Attempt = new() { P50 = p50, P99 = p99 }, IncludesWarmup = false },
        };
        report = report with { Utilization = report.Utilization with { RequestUnits = bound == BoundBy.RequestUnits ? 1 : 0.4 } };
        Assert.Equal(invalid, string.Join(", ", Validity.Of(report).Select(one => one.What)));
        Assert.Empty(Validity.Of(report with { Delays = report.Delays! with { ClientMs = null } }));
        Assert.Empty(Validity.Of(report with { LatencyMs = report.LatencyMs with { IncludesWarmup = true } }));
    }

    [Theory]
    [InlineData(WorkloadKind.Insert, true)]
    [InlineData(WorkloadKind.Bulk, false)]
    [InlineData(WorkloadKind.Query, false)]
    public void Build_Delays_HasTheClientsCpuWhereAnAttemptIsOneRequest(WorkloadKind kind, bool isKnown)
    {
        var spec = Report.Spec with { Workload = new() { Kind = kind } };
        var sample = new RunSample { Spec = spec, Cpu = 0.4 };
        var delays = new DeliveredDelays { Responses = 1, Slipped = 0, Configured = new(), Delivered = new(), Slip = new() };
        var report = RunReportBuilder.Build(sample.Ending() with { Delays = delays }, sample.AllLegs());

        // Four workers use 0.4 of two cores each, for about 1,400 attempts per second.
        Assert.Equal(isKnown, report.Delays!.ClientMs is > 0.5 and < 0.7);
        Assert.Equal(isKnown, report.Delays.ClientMs is not null);
    }

    [Theory]
    [InlineData(0.5, false, "")]
    [InlineData(0.95, false, "throughput.overlapPerSecond throttledShare utilization.requestUnits")]
    [InlineData(0.5, true,
        "throughput.overlapPerSecond throttledShare utilization.requestUnits p99 insert.p99 latencyMs.attempt.p50")]
    public void NotValid_Names_FollowTheirKindOfFigure(double machine, bool slipped, string notValid)
    {
        string[] names =
        [
            "throughput.overlapPerSecond", "throughput.askedPerSecond", "throttledShare", "utilization.requestUnits", "utilization.machine",
            "p99", "insert.p99", "latencyMs.attempt.p50", "requestUnits.perInsert", "requestUnits.total", "errors", "documents.verified",
            "valid",
        ];
        var report = Report with
        {
            BoundBy = BoundBy.Latency,
            Utilization = new() { Machine = machine },
            Delays = Delays(slipped),
        };
        Assert.Equal(notValid, string.Join(' ', names.Where(name => ReportNumbers.OpenIn(report)(name) is not null)));
    }

    private static DelayReport Delays(bool slipped) => new()
    {
        Responses = 1_000, Slipped = slipped ? 540 : 0, HaveSlipped = slipped, ClientMs = 0.5,
        ConfiguredMs = new() { P50 = 5, P99 = 12 },
        DeliveredMs = new() { P50 = slipped ? 7 : 100, P99 = slipped ? 32 : 100 }, SlipMs = new() { P50 = slipped ? 2 : 0 },
    };
}
