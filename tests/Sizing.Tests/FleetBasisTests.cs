namespace ScaleOut.Tests.Sizing;

/// <summary>The figures that a fleet in virtual time takes from specs and reports, and the forecast from its result.</summary>
public sealed class FleetBasisTests
{
    private static readonly RunSpec Small = new() { Container = new() { Throughput = 60_000 } };

    private static readonly RunReport Report = new RunSample
    {
        Seconds = 30, Cpu = 0.005, Spec = new() { Id = "base", Documents = 20_000 },
    }.Build();

    /// <summary>
    /// The sample uses the same CPU in every second. Seconds at the ends, in which not all workers were at work, do not count.
    /// </summary>
    [Fact]
    public void From_Report_TakesTheClientsCpuOverTheAttempts()
    {
        var known = BasisOf(Report);
        AssertNear(Report.Workers.Sum(worker => worker.CpuSeconds) * 1000 / Report.Requests.Attempts, known.CpuMsPerAttempt!.Value, 0.1);
        Assert.Equal(Report.RequestUnits.PerInsert, known.ChargePerDocument);
        Assert.True(known.OverheadMs >= 0);
    }

    /// <summary>Operations do not cause the compilation before the measured seconds.</summary>
    [Fact]
    public void From_ReportWithACostlyWarmup_TakesTheCpuOfTheMeasuredSeconds()
    {
        var costly = Report with { Workers = [.. Report.Workers.Select(worker => worker with { CpuSeconds = 10 * worker.CpuSeconds })] };
        Assert.Equal(
            FleetBasis.From(Report, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt!.Value,
            FleetBasis.From(costly, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt!.Value, 6);
    }

    /// <summary>Each action makes three attempts, so that one has a third of the CPU of an action.</summary>
    [Fact]
    public void From_ReportOfActions_TakesTheClientsCpuOverTheAttemptsAtTheirSteps()
    {
        var actions = Report with
        {
            Spec = Report.Spec with { Workload = new() { Action = [WorkloadKind.Insert, WorkloadKind.Patch, WorkloadKind.Read] } },
            Series =
            [
                .. Report.Series.Select(point => point with
                {
                    Counts = point.Counts with { Attempts = 3 * point.Counts.Attempts },
                }),
            ],
        };
        var other = actions.Spec with { Workload = new() { Action = [WorkloadKind.Insert] } };
        Assert.Equal(
            FleetBasis.From(Report, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt!.Value / 3,
            FleetBasis.From(actions, actions.Spec, null, overheadMs: 0).CpuMsPerAttempt!.Value, 6);
        Assert.Empty(FleetBasis.From(actions, actions.Spec, null, overheadMs: 0).Notes);
        Assert.Equal(
            ["CPU and latency were measured with the action insert, patch, read"],
            FleetBasis.From(actions, other, null, overheadMs: 0).Notes);
    }

    /// <summary>On a full machine processes take cores from each other, which changes their CPU and latency.</summary>
    [Fact]
    public void From_ReportOfAFullMachine_IsAnErrorThatSaysWhichRunToMake()
    {
        var full = Report with { BoundBy = BoundBy.Machine, Utilization = Report.Utilization! with { Machine = 0.95 } };
        var error = Assert.Throws<InputException>(() => BasisOf(full));
        Assert.Contains("95% of the machine's cores were busy", Assert.Single(error.Errors).Line, StringComparison.Ordinal);
        Assert.Contains("--workers 1 --cores 1 (client.cores)", error.Errors[0].Line, StringComparison.Ordinal);
    }

    [Fact]
    public void From_ReportWhoseDelaysCameLate_IsAnError()
    {
        var late = Report with
        {
            Delays = new() { Responses = 100, Slipped = 50, HaveSlipped = true, ConfiguredMs = new(), DeliveredMs = new(), SlipMs = new() },
        };
        var error = Assert.Throws<InputException>(() => BasisOf(late));
        Assert.Contains(DelayReport.BusyMachine, Assert.Single(error.Errors).Line, StringComparison.Ordinal);
    }

    [Fact]
    public void From_ReportWhoseAttemptsWaited_IsAnError()
    {
        var waited = Report with
        {
            LatencyMs = Report.LatencyMs with { Attempt = Report.LatencyMs.Attempt with { P50 = 9 }, IncludesWarmup = false },
            Delays = new()
            {
                Responses = 100, Slipped = 0, HaveSlipped = false, ClientMs = 0.5, ConfiguredMs = new(), SlipMs = new(),
                DeliveredMs = new() { P50 = 5 },
            },
        };
        var error = Assert.Throws<InputException>(() => BasisOf(waited));
        Assert.Contains("its attempts waited for the clients' CPU", Assert.Single(error.Errors).Line, StringComparison.Ordinal);
    }

    /// <summary>A measurement of the command <c>size</c> itself is used, as its CPU is rather too high than too low.</summary>
    [Fact]
    public void From_OwnRunOnAFullMachine_HasANoteAndNoOverhead()
    {
        var full = WithMedian(Report, 50) with { BoundBy = BoundBy.Machine };
        var known = FleetBasis.From(full, full.Spec, cpuMs: null, overheadMs: null, own: true);
        Assert.Equal(0, known.OverheadMs);
        Assert.Contains(known.Notes, note => note.StartsWith("This machine was busy", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0.001, 0.5, "which no round trip can be")]
    [InlineData(20, 0.9, "used 90% of their cores")]
    public void From_RealAccountWithoutALatency_IsAnError(double medianMs, double client, string message)
    {
        var real = RealReport();
        var wrong = WithMedian(real, medianMs) with { Utilization = real.Utilization! with { Client = client } };
        var error = Assert.Throws<InputException>(() => BasisOf(wrong));
        Assert.Contains(message, Assert.Single(error.Errors).Line, StringComparison.Ordinal);
    }

    [Fact]
    public void From_EachFigure_SaysWhetherItWasMeasured()
    {
        string Origins(FleetBasis basis) => string.Join(", ", basis.Figures.Select(figure => $"{figure.Name} {figure.Origin}"));
        Assert.Equal(
            "document Measured, charge Assumed, latency Assumed, CPU Assumed, cores Assumed, bandwidth Assumed",
            Origins(FleetBasis.From(Small, cpuMs: 0.1, overheadMs: null)));
        Assert.Equal(
            "document Measured, charge Assumed, latency Assumed, CPU Measured, overhead Measured, cores Assumed, bandwidth Assumed",
            Origins(BasisOf(Report)));
    }

    /// <summary>A spec that is read again has kinds that are equal and not the same.</summary>
    [Fact]
    public void From_ReportOfTheSameKindsOfDocuments_TakesTheChargeThatItMeasured()
    {
        const string Kinds = """{"workers":4,"document":{"kinds":[{"weight":3},{"weight":1,"kind":"device"}]}}""";
        var report = Report with { Spec = RunSpecReader.Read(Kinds).Value! };
        var known = FleetBasis.From(report, RunSpecReader.Read(Kinds).Value!, null, overheadMs: 0);
        Assert.Equal(Report.RequestUnits.PerInsert, known.ChargePerDocument);
    }

    [Fact]
    public void From_ReportOfAnotherWorkloadAndMode_NotesTheDifferences()
    {
        var other = Report.Spec with
        {
            Workload = new() { Kind = WorkloadKind.Upsert },
            Client = new() { ConnectionMode = ConnectionMode.Gateway },
        };
        var known = FleetBasis.From(Report, other, cpuMs: null, overheadMs: null);
        Assert.NotEqual(Report.RequestUnits.PerInsert, known.ChargePerDocument);
        Assert.Equal(
            ["CPU and latency were measured with the workload insert", "CPU and latency were measured in Direct mode"], known.Notes);
    }

    [Fact]
    public void From_ReportOfReplaces_IsAnError() => Assert.Throws<InputException>(() => FleetBasis.From(
        Report with { Spec = Report.Spec with { Workload = new() { Kind = WorkloadKind.Replace } } },
        Report.Spec, cpuMs: null, overheadMs: null));

    /// <summary>A simulation of the base run with the overhead has the base run's median.</summary>
    [Fact]
    public void From_Report_OverheadMakesUpForWhatTheSimulationLacks()
    {
        var slow = WithMedian(Report, 50) with { Utilization = Report.Utilization! with { Machine = 0.3 } };
        var known = BasisOf(slow);
        var again = Simulate(
            FleetSpecs.From(known, slow.Partitions.Count) with { Cores = MeasuredCpu.CoresOf(slow), Duration = TimeSpan.FromSeconds(20) });
        Assert.InRange(again.Attempt.PercentileMs(50)!.Value, 48.5, 51.5);
    }

    /// <summary>The overhead follows from the run's own latency, whatever latency the fleet has.</summary>
    [Fact]
    public void From_ReportForAFleetFartherAway_HasTheSameOverhead()
    {
        var slow = WithMedian(Report, 50);
        var farther = slow.Spec with { Simulation = (slow.Spec.Simulation ?? new()) with { Latency = LatencyProfile.CrossRegion } };
        var near = BasisOf(slow);
        var far = FleetBasis.From(slow, farther, cpuMs: null, overheadMs: null);
        Assert.Equal((near.OverheadMs, LatencyProfile.CrossRegion), (far.OverheadMs, far.Latency));
    }

    [Fact]
    public void From_ReportOfAnotherAccount_TakesTheMeasuredQuantiles()
    {
        var real = RealReport();
        var known = BasisOf(real);
        var fleet = FleetSpecs.From(known, 10) with { Concurrency = 1, Throughput = 1e9, Duration = TimeSpan.FromSeconds(60) };
        var predicted = Simulate(fleet).Attempt;
        Assert.Equal(0, known.OverheadMs);
        AssertNear(real.LatencyMs.Attempt.P50, predicted.PercentileMs(50), 0.1);
        AssertNear(real.LatencyMs.Attempt.P99, predicted.PercentileMs(99), 0.25);
    }

    [Fact]
    public void From_OptionsOverReport_OptionsHold()
    {
        var known = FleetBasis.From(Report, Report.Spec with { Workers = 100 }, cpuMs: 0.25, overheadMs: 1);
        Assert.Equal((0.25, 1, 100), (known.CpuMsPerAttempt, known.OverheadMs, known.Spec.Workers));
    }

    [Fact]
    public void From_ReportOfNothing_IsAnError() => Assert.Throws<InputException>(() => FleetBasis.From(
        Report with { Requests = Report.Requests with { Attempts = 0 } }, Report.Spec, cpuMs: null, overheadMs: null));

    [Fact]
    public void PartitionsOf_LargeThroughput_AreThoseOfTheServiceNotOfThisMachine()
    {
        Assert.Equal(167, RunEstimate.PartitionsOf(Small with { Container = new() { Throughput = 1_000_000 } }));
        Assert.Equal(6, RunEstimate.PartitionsOf(Small with { Simulation = new() { PhysicalPartitions = 5 } }));
        Assert.Equal(12, RunEstimate.PartitionsOf(Small with { Simulation = new() { PhysicalPartitions = 12 } }));
        // A billion documents of 1,725 bytes are 35 partitions of 50 GB.
        Assert.Equal(35, RunEstimate.PartitionsOf(
            Small with { Documents = 1_000_000_000, Document = new() { Kind = DocumentKind.Flights } }));
    }

    [Fact]
    public void From_KeysOfTheirOwn_SpreadEvenly() => Assert.Null(FleetSpecs.From(FleetBasis.From(Small, 0.1, null), 10).PartitionWeights);

    [Fact]
    public void From_SharedKeys_SpreadByTheirHashes()
    {
        var spec = Small with { Id = "rows", Document = new() { Kind = DocumentKind.Flights } };

        var weights = FleetSpecs.From(FleetBasis.From(spec, 0.1, null), 10).PartitionWeights!;

        var documents = DocumentSources.For(spec.Document, "rows", spec.Container.KeyPathsFor(spec.Document));
        var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, 10);
        var counted = new int[10];
        for (var number = 500_000; number < 520_000; number++)
            counted[map.IndexOf(PartitionKeyValue.From(documents.KeyOf(number)))]++;
        Assert.All(counted.Select((count, partition) => (Share: count / 20_000.0, Weight: weights[partition] / weights.Sum())), pair =>
            Assert.Equal(pair.Share, pair.Weight, 0.02));
        Assert.True(weights.Max() > 1.1 * weights.Average());
    }

    [Theory]
    [InlineData(60_000, 0.1, null, null, BoundBy.RequestUnits)]
    [InlineData(10_000_000, 2.0, null, null, BoundBy.Client)]
    [InlineData(10_000_000, 0.1, null, null, BoundBy.Latency)]
    [InlineData(10_000_000, 0.1, 100.0, null, BoundBy.Rate)]
    [InlineData(60_000, 0.1, null, 9.0, BoundBy.Partition)]
    public void Forecast_OfAFleet_SaysWhatStopsIt(int throughput, double cpuMs, double? rate, double? hot, BoundBy expected)
    {
        var spec = Small with { Workers = 10, Container = new() { Throughput = throughput }, Client = new() { Rate = rate } };
        var fleet = FleetSpecs.From(FleetBasis.From(spec, cpuMs, null), 10) with
        {
            Duration = TimeSpan.FromSeconds(20),
            PartitionWeights = hot is { } weight ? [weight, 1, 1, 1, 1, 1, 1, 1, 1, 1] : null,
        };

        var forecast = FleetForecast.From(Simulate(fleet));

        Assert.Equal(expected, forecast.BoundBy);
        Assert.InRange(forecast.PerSecond, 0.999 * forecast.PerSecondRange!.Value.Low, 1.001 * forecast.PerSecondRange.Value.High);
        Assert.InRange(forecast.RequestUnitsPerSecond, 0.97 * forecast.PerSecond * fleet.ChargePerDocument, 1.01 * throughput);
    }

    [Fact]
    public void ErrorsOf_WhatCannotBePredicted_NamesEachField()
    {
        var spec = Small with
        {
            Workload = new() { Kind = WorkloadKind.Query, Query = new() { Text = "SELECT * FROM c" }, Bulk = true, Steps = [] },
            WorkerOverrides = [new() { Workers = [0], Client = new() }],
        };
        Assert.Equal(
            ["workload.bulk", "workload.steps", "workerOverrides"], FleetSpecs.ErrorsOf(spec).Select(error => error.Field));
    }

    /// <summary>Each request of an action takes the CPU of one, and its RU are the sum of its steps'.</summary>
    [Fact]
    public void From_Action_IsTheSumOfItsSteps()
    {
        var spec = Small with { Workload = new() { Action = [WorkloadKind.Read, WorkloadKind.Insert, WorkloadKind.Read] } };
        var basis = FleetBasis.From(spec, cpuMs: 0.25, overheadMs: null);
        Assert.Equal((9.05, 3), (Math.Round(basis.ChargePerDocument, 6), basis.MeanOn(1, pages => pages.Pages)));
        var fleet = FleetSpecs.From(basis, partitions: 6);
        Assert.Equal(["read", "insert", "read"], fleet.Steps.Select(step => fleet.Mix[step].Name));
        Assert.Equal((9.05, 1), (Math.Round(fleet.Mix.Sum(one => one.Share * one.Charge), 6), fleet.SentShare));
        Assert.Empty(FleetSpecs.ErrorsOf(spec));
        Assert.Single(FleetSpecs.ErrorsOf(spec with { Workload = new() { Action = [WorkloadKind.Insert, WorkloadKind.Replace] } }));
    }

    private static FleetResult Simulate(FleetSpec spec) => VirtualFleet.Simulate(spec, TestContext.Current.CancellationToken);

    private static void AssertNear(double? expected, double? actual, double share) =>
        Assert.InRange(actual!.Value, expected!.Value * (1 - share), expected.Value * (1 + share));

    private static RunReport RealReport() =>
        new RunSample { Seconds = 30, Simulated = false, Spec = new() { Id = "real", Documents = 20_000 } }.Build();

    private static RunReport WithMedian(RunReport report, double ms) =>
        report with { LatencyMs = report.LatencyMs with { Attempt = report.LatencyMs.Attempt with { P50 = ms } } };

    private static FleetBasis BasisOf(RunReport report) => FleetBasis.From(report, report.Spec, cpuMs: null, overheadMs: null);
}
