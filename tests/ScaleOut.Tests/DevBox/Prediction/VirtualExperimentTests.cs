using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.DevBox.Commands;
using ScaleOut.DevBox.Prediction;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Tests.Analysis.Reports;

namespace ScaleOut.Tests.DevBox.Prediction;

/// <summary>Experiments whose runs are simulated from reports that look like those of real ones.</summary>
public sealed class VirtualExperimentTests
{
    /// <summary>The sample's attempts take 3.3 ms and a write of 4 ms: the round trip of 1.3 ms, and 2 ms of the client's own.</summary>
    private const double OwnMs = 3.3;

    private static readonly double AtP99 = Math.Exp(LatencyProfile.SameRegion.LogStandardDeviation * 2.3263);

    private static readonly RunSpec Near = new()
    {
        // What 80 operations in flight do in 30 s.
        Documents = (long)(30 * 80_000 / (OwnMs + (4 * Math.Exp(0.35 * 0.35 / 2)))),
        Container = new() { Throughput = 1_000_000 },
    };

    /// <summary>All else is as it was, so the claim flips where the drawn median says: 10 ms = 3.3 ms + median x e^(0.35 z).</summary>
    [Fact]
    public void Draws_FindingThatHangsOnOneParameter_FlipsWhereItMust()
    {
        var (own, runs) = Measured([("one", Near)], new() { Kind = FindingKind.LatencyUnder, Variants = ["one"] });

        var report = Under(own, runs, 40, "latency.writeMedianMs", "latency.readMedianMs", "charges.perQueryPage");

        var finding = Assert.Single(report.Findings);
        Assert.Equal((null, "below 1", "below 1"), (finding.NotSimulated, finding.Own, finding.Control));
        Assert.Equal("latency.writeMedianMs", finding.Flip!.Parameter);
        Assert.Equal((10 - OwnMs) / AtP99, finding.Flip.Threshold, 0.15);
        Assert.False(finding.Flip.HoldsAbove && finding.FlipOf == "above 1");
    }

    [Fact]
    public void Control_RunsAsTheyWereMeasured_GivesTheirFigures()
    {
        var (own, runs) = Measured([("one", Near)], new() { Kind = FindingKind.LatencyUnder, Variants = ["one"] });

        var control = Assert.Single(Under(own, runs, 2).Control);

        Assert.Equal(own.Variants[0].Rate!.Value, control.Rate!.Measured, 0.01);
        Assert.InRange(control.Rate.Error, -0.1, 0.1);
        Assert.InRange(control.P99LatencyMs!.Error, -0.05, 0.05);
    }

    /// <summary>What the measured runs say and their own simulation does not, other physics cannot be asked.</summary>
    [Fact]
    public void Control_SaysSomethingElse_FindingIsNotSimulated()
    {
        static RunReport Quick(RunReport run) => run with
        {
            LatencyMs = run.LatencyMs with { Operation = run.LatencyMs.Operation with { P99 = 5 } },
        };
        var (own, runs) = Measured([("one", Near)], new() { Kind = FindingKind.LatencyUnder, Variants = ["one"] }, Quick);

        var report = Under(own, runs, 2);

        var finding = Assert.Single(report.Findings);
        Assert.Equal(("above 1", "below 1", 0), (finding.Own, finding.Control, finding.Tested));
        Assert.All(finding.Outcomes, Assert.Null);
        Assert.StartsWith(
            "Its sensitivity could not be simulated: in virtual time the experiment's own physics give \"below 1 (", finding.Sentence,
            StringComparison.Ordinal);
        Assert.Contains("1 could not be simulated", SensitivityText.Headline(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Variant_ThatVirtualTimeLacks_IsNamedWithItsFindings()
    {
        var paced = Near with { Workload = new() { RequestUnitRate = 500 } };
        var (own, runs) = Measured(
            [("one", Near), ("paced", paced)],
            new() { Id = "first", Kind = FindingKind.LatencyUnder, Variants = ["one"] },
            null,
            new FindingSpec { Id = "second", Kind = FindingKind.LatencyUnder, Variants = ["paced"] });

        var report = Under(own, runs, 2);

        Assert.Equal([null, "its workers keep to RU/s of their own"], report.Control.Select(variant => variant.NotSimulated));
        Assert.Null(report.Findings[0].NotSimulated);
        Assert.Equal("paced: its workers keep to RU/s of their own", report.Findings[1].NotSimulated);
    }

    /// <summary>Whoever goes on after an interruption comes to the same report.</summary>
    [Fact]
    public void Simulate_Again_IsTheSame()
    {
        var (own, runs) = Measured([("one", Near)], new() { Kind = FindingKind.LatencyUnder, Variants = ["one"] });
        string Report() => JsonSerializer.Serialize(
            new SensitivityExecution(own.Spec, 3).Simulate(own, VirtualExperiment.From(own, runs.GetValueOrDefault)), ScaleOutJson.Compact);

        Assert.Equal(Report(), Report());
    }

    /// <summary>Batches, reads, deletes, upserts and bulk are simulated with their own charge, size and kind of request.</summary>
    [Theory]
    [InlineData(WorkloadKind.Upsert, 1)]
    [InlineData(WorkloadKind.Read, 1)]
    [InlineData(WorkloadKind.Delete, 1)]
    [InlineData(WorkloadKind.Batch, 20)]
    [InlineData(WorkloadKind.Bulk, 1)]
    public void Charges_Drawn_ChangeWhatWasMeasuredOfWrites(WorkloadKind kind, int batch)
    {
        var spec = Near with { Workload = new() { Kind = kind, BatchSize = batch == 1 ? null : batch }, Id = "run" };
        var run = new VirtualRun(new RunSample { Spec = spec, Seconds = 30, Cpu = 0.02, MachineCpu = 0.1 }.Build());

        var own = run.Simulate(spec);
        var dear = run.Simulate(spec with { Simulation = new() { Charges = new() { PerIndexedTerm = 0.4 } } });

        // Four terms of 0.2 RU beside 4.95 RU; reads have no index.
        Assert.Equal(
            kind == WorkloadKind.Read ? 1 : (4.95 + 1.6) / (4.95 + 0.8),
            dear.RequestUnitsPerOperation!.Value / own.RequestUnitsPerOperation!.Value, 0.001);
        Assert.True(own.IsUsable);
    }

    [Theory]
    [InlineData(null, 9, 1)]
    [InlineData(-1, 9, 1)]
    [InlineData(null, 1, 1)]
    public void Query_Simulated_AsksForAsManyPagesAsItWasMeasuredTo(int? maxConcurrency, int pages, int plans)
    {
        var query = new QuerySpec
        {
            Text = "SELECT * FROM c", MaxConcurrency = maxConcurrency, PartitionKey = pages == 1 ? "{{key}}" : null,
        };
        var spec = new RunSpec
        {
            Id = "query", Documents = 9_000, Workers = 1, Container = new() { Throughput = 1_000_000 },
            Simulation = new() { PhysicalPartitions = 9 },
            Workload = new() { Kind = WorkloadKind.Query, Query = query, Preload = 100 },
        };
        var sample = new RunSample { Spec = spec, Seconds = 30, Cpu = 0.02, MachineCpu = 0.1 }.Build();
        var report = sample with
        {
            Requests = sample.Requests with
            {
                Operations = 9_000, Attempts = 9_000 * pages, Calls = 9_000 * (pages + plans), CallsPerOperation = pages + plans,
                ItemsPerOperation = 1,
            },
            RequestUnits = sample.RequestUnits with { PerInsert = 2.75 * pages, PerOperation = 2.75 * pages },
        };
        var run = new VirtualRun(report);

        var own = run.Simulate(spec);
        var wide = run.Simulate(spec with { Simulation = new() { PhysicalPartitions = 18, Charges = new() { PerQueryPage = 4 } } });

        Assert.Equal(pages + plans, own.CallsPerOperation!.Value, 0.05);
        Assert.Equal(2.75 * pages, own.RequestUnitsPerOperation!.Value, 0.001);
        var (factor, page) = (pages == 1 ? 1 : 2, ScaleOut.Charges.ChargeModel.Documented);
        Assert.Equal((factor * pages) + plans, wide.CallsPerOperation!.Value, 0.05);
        Assert.Equal(
            (2.75 * pages) + (((factor * (4 + page.Query.Lookup)) - page.QueryPage(1)) * pages),
            wide.RequestUnitsPerOperation!.Value, 0.001);
    }

    /// <summary>The report of an experiment with two repeats of each variant, and the reports of its runs.</summary>
    private static (ExperimentReport Own, IReadOnlyDictionary<string, RunReport> Runs) Measured(
        IReadOnlyList<(string Name, RunSpec Spec)> variants, FindingSpec first, Func<RunReport, RunReport>? change = null,
        params FindingSpec[] more)
    {
        var spec = new ExperimentSpec
        {
            Id = "sample",
            Base = new JsonObject(),
            Variants =
            [
                .. variants.Select(variant => new VariantSpec
                {
                    Name = variant.Name, Change = JsonSerializer.SerializeToNode(variant.Spec, ScaleOutJson.Compact)!.AsObject(),
                }),
            ],
            Repeats = 2,
            Findings = [first, .. more],
        };
        var runs = ExperimentRuns.From(spec).ToDictionary(
            run => run.Spec.Id!,
            run => (change ?? (one => one))(
                new RunSample { Spec = run.Spec, Seconds = 30, Cpu = 0.02, MachineCpu = 0.1 }.Build()));
        var ends = ExperimentRuns.From(spec).Select(run => new ExperimentRunEnd
        {
            Variant = run.Variant, Repeat = run.Repeat, RunId = run.Spec.Id!, State = RunState.Complete,
        }).ToList();
        var own = ExperimentReportBuilder.Build(
            new ExperimentEnding { Spec = spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(5), Runs = ends },
            [.. ends.Select(end => RunDigest.From(end, runs[end.RunId]))]);
        return (own, runs);
    }

    /// <summary>The sensitivity under draws of some parameters, the others being as they are assumed.</summary>
    private static SensitivityReport Under(
        ExperimentReport own, IReadOnlyDictionary<string, RunReport> runs, int count, params string[] parameters)
    {
        var draws = SensitivityDraws.From(own.Spec, count).Select(draw => draw with
        {
            Values =
            [
                .. PhysicsParameters.All.Select((parameter, i) => parameters.Contains(parameter.Name) ? draw.Values[i] : parameter.Default),
            ],
        }).ToList();
        var experiment = VirtualExperiment.From(own, runs.GetValueOrDefault);
        var passes = experiment.Simulate([own.Spec, .. draws.Select(draw => SensitivityDraws.ExperimentOf(own.Spec, draw))]);
        return SensitivityReport.From(
            own, experiment.NotSimulated, passes[0], [.. draws.Select((draw, i) => (draw, passes[i + 1]))]);
    }
}
