using ScaleOut.Analysis.Reports;
using ScaleOut.DevBox;
using ScaleOut.DevBox.Prediction;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;
using ScaleOut.Tests.Analysis.Reports;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Tests.DevBox.Prediction;

/// <summary>What is taken from specs and reports for a prediction, and what is read off the result.</summary>
public sealed class PredictionBaseTests
{
    private static readonly RunSpec Small = new() { Container = new() { Throughput = 60_000 } };

    private static readonly RunReport Report = new RunSample
    {
        Seconds = 30, Cpu = 0.005, Spec = new() { Id = "base", Documents = 20_000 },
    }.Build();

    /// <summary>
    /// The sample uses the same CPU in every second; those at the ends, in which not all workers were at work, do not count.
    /// </summary>
    [Fact]
    public void From_Report_TakesTheClientsCpuOverTheAttempts()
    {
        var known = PredictionBase.From(Report, Report.Spec, cpuMs: null, overheadMs: null);

        AssertNear(Report.Workers.Sum(worker => worker.CpuSeconds) * 1000 / Report.Requests.Attempts, known.CpuMsPerAttempt, 0.1);
        Assert.Equal(Report.RequestUnits.PerInsert, known.ChargePerDocument);
        Assert.True(known.OverheadMs >= 0);
    }

    /// <summary>What is compiled before the measured seconds is nothing that an operation costs.</summary>
    [Fact]
    public void From_ReportWithACostlyWarmup_TakesTheCpuOfTheMeasuredSeconds()
    {
        var costly = Report with { Workers = [.. Report.Workers.Select(worker => worker with { CpuSeconds = 10 * worker.CpuSeconds })] };

        Assert.Equal(
            PredictionBase.From(Report, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt,
            PredictionBase.From(costly, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt, 6);
    }

    /// <summary>What keeps the machine busy beside the workers is the account's, where it runs on the same one.</summary>
    [Fact]
    public void From_ReportOfOneMachine_TakesWhatIsLeftOfItsCpuForTheAccounts()
    {
        var used = Report.Utilization! with { Client = 0.2 };
        var workers = 0.2 * Report.Workers.Count;
        double AccountOf(RunReport report) => PredictionBase.From(report, Report.Spec, null, overheadMs: 0).AccountCpuMsPerAttempt;
        var shared = Report with { DistinctInstances = 1, Utilization = used with { Machine = workers + 0.1 } };
        var each = PredictionBase.From(shared, Report.Spec, null, overheadMs: 0).CpuMsPerAttempt;

        Assert.Equal(each * 0.1 / workers, AccountOf(shared), 6);
        // A machine that others keep busy says nothing more of the account than that it takes no more than its clients.
        Assert.Equal(each, AccountOf(shared with { Utilization = used with { Machine = 1, Client = 0.05 } }) * 4, 6);
        Assert.Equal(0, AccountOf(shared with { DistinctInstances = 2 }));
        Assert.Equal(0, AccountOf(shared with { Utilization = used with { Machine = 0 } }));
    }

    /// <summary>The base run's own simulation, with the overhead, has the base run's median.</summary>
    [Fact]
    public void From_Report_OverheadMakesUpForWhatTheSimulationLacks()
    {
        var slow = Report with
        {
            LatencyMs = Report.LatencyMs with { Attempt = Report.LatencyMs.Attempt with { P50 = 50 } },
            // Of a machine that is full, loops wait for its cores, and nothing is left for an overhead.
            Utilization = Report.Utilization! with { Machine = 0.3 },
        };

        var known = PredictionBase.From(slow, slow.Spec, cpuMs: null, overheadMs: null);
        var again = VirtualFleet.Simulate(
            FleetSpecs.From(known, slow.Partitions.Count) with { Cores = 4, Duration = TimeSpan.FromSeconds(20) });

        Assert.InRange(again.Attempt.PercentileMs(50)!.Value, 48.5, 51.5);
    }

    /// <summary>What the run lacked is seen against its own latency, whatever that of the fleet is.</summary>
    [Fact]
    public void From_ReportForAFleetFartherAway_HasTheSameOverhead()
    {
        var slow = Report with
        {
            LatencyMs = Report.LatencyMs with { Attempt = Report.LatencyMs.Attempt with { P50 = 50 } },
        };
        var farther = slow.Spec with { Simulation = (slow.Spec.Simulation ?? new()) with { Latency = LatencyProfile.CrossRegion } };

        var near = PredictionBase.From(slow, slow.Spec, cpuMs: null, overheadMs: null);
        var far = PredictionBase.From(slow, farther, cpuMs: null, overheadMs: null);

        Assert.Equal((near.OverheadMs, LatencyProfile.CrossRegion), (far.OverheadMs, far.Latency));
    }

    [Fact]
    public void From_ReportOfAnotherAccount_TakesTheMeasuredQuantiles()
    {
        var real = new RunSample { Seconds = 30, Simulated = false, Spec = new() { Id = "real", Documents = 20_000 } }.Build();

        var known = PredictionBase.From(real, real.Spec, cpuMs: null, overheadMs: null);
        var fleet = FleetSpecs.From(known, 10) with { Concurrency = 1, Throughput = 1e9, Duration = TimeSpan.FromSeconds(60) };
        var predicted = VirtualFleet.Simulate(fleet).Attempt;

        Assert.Equal(0, known.OverheadMs);
        AssertNear(real.LatencyMs.Attempt.P50, predicted.PercentileMs(50), 0.1);
        AssertNear(real.LatencyMs.Attempt.P99, predicted.PercentileMs(99), 0.25);
    }

    [Fact]
    public void From_OptionsOverReport_OptionsHold()
    {
        var known = PredictionBase.From(Report, Report.Spec with { Workers = 100 }, cpuMs: 0.25, overheadMs: 1);

        Assert.Equal((0.25, 1, 100), (known.CpuMsPerAttempt, known.OverheadMs, known.Spec.Workers));
    }

    [Fact]
    public void From_ReportOfNothing_IsAnError() => Assert.Throws<InputException>(() => PredictionBase.From(
        Report with { Requests = Report.Requests with { Attempts = 0 } }, Report.Spec, cpuMs: null, overheadMs: null));

    [Fact]
    public void PartitionsOf_LargeThroughput_AreThoseOfTheServiceNotOfThisMachine()
    {
        Assert.Equal(167, FleetSpecs.PartitionsOf(Small with { Container = new() { Throughput = 1_000_000 } }));
        Assert.Equal(5, FleetSpecs.PartitionsOf(Small with { Simulation = new() { PhysicalPartitions = 5 } }));
    }

    [Fact]
    public void From_KeysOfTheirOwn_SpreadEvenly() =>
        Assert.Null(FleetSpecs.From(PredictionBase.From(Small, 0.1, null), 10).PartitionWeights);

    [Fact]
    public void From_SharedKeys_SpreadByTheirHashes()
    {
        var spec = Small with { Id = "rows", Document = new() { Kind = DocumentKind.Flights } };

        var weights = FleetSpecs.From(PredictionBase.From(spec, 0.1, null), 10).PartitionWeights!;

        var documents = DocumentSources.For(spec.Document, "rows", spec.Container.PartitionKeyPathFor(spec.Document));
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
        var fleet = FleetSpecs.From(PredictionBase.From(spec, cpuMs, null), 10) with
        {
            Duration = TimeSpan.FromSeconds(20),
            PartitionWeights = hot is { } weight ? [weight, 1, 1, 1, 1, 1, 1, 1, 1, 1] : null,
        };

        var forecast = FleetForecast.From(spec, VirtualFleet.Simulate(fleet), [], prices: null);

        Assert.Equal(expected, forecast.BoundBy);
        Assert.InRange(forecast.PerSecond, 0.999 * forecast.PerSecond95!.Value.Low, 1.001 * forecast.PerSecond95.Value.High);
        Assert.InRange(forecast.RequestUnitsPerSecond, 0.97 * forecast.PerSecond * fleet.ChargePerDocument, 1.01 * throughput);
    }

    [Fact]
    public void ErrorsOf_WhatCannotBePredicted_NamesEachField()
    {
        var spec = Small with
        {
            Workload = new() { Kind = WorkloadKind.Query, Query = new() { Text = "SELECT * FROM c" }, Steps = [] },
            WorkerOverrides = [new() { Workers = [0], Client = new() }],
        };

        Assert.Equal(
            ["workload.kind", "workload.steps", "workerOverrides"], FleetSpecs.ErrorsOf(spec).Select(error => error.Split(':')[0]));
    }

    private static void AssertNear(double? expected, double? actual, double share) =>
        Assert.InRange(actual!.Value, expected!.Value * (1 - share), expected.Value * (1 + share));
}
