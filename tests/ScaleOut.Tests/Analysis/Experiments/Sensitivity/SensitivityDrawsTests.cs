using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Experiments;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Tests.Shared.Profiles;

namespace ScaleOut.Tests.Analysis.Experiments.Sensitivity;

public sealed class SensitivityDrawsTests
{
    private const string Plan =
        """
        {
          "id": "sample",
          "base": {
            "documents": 1000, "workers": 1, "container": { "throughput": 60000 },
            "simulation": { "throttling": { "retryAfterMinMs": 300 }, "consistency": "Eventual" }
          },
          "variants": [
            { "name": "near" },
            { "name": "far", "change": { "simulation": { "latency": "cross-region", "physicalPartitions": 4 } } }
          ],
          "findings": [ { "kind": "lowLatencyNetwork", "variants": ["far", "near"] } ]
        }
        """;

    private static readonly ExperimentSpec Spec = ExperimentSpecReader.Read(Plan).Value!;

    [Fact]
    public void ExperimentOf_EveryDraw_IsValid()
    {
        var draws = SensitivityDraws.From(Spec, 20).Select(draw => SensitivityDraws.ExperimentOf(Spec, draw)).ToList();

        Assert.Equal(20, draws.Count);
        Assert.All(draws, draw => Assert.Empty(ExperimentSpecReader.Check(draw).Errors));
    }

    /// <summary>Tables have no physics, and do not count where variants differ in theirs.</summary>
    [Fact]
    public void ExperimentOf_VariantThatWritesToTables_StaysAsItIs()
    {
        var table = JsonNode.Parse(
            """
            {
              "document": { "kind": "flights" }, "workload": { "kind": "tableBatch" }, "simulation": null,
              "container": { "throughput": null }
            }
            """)!.AsObject();
        var spec = Spec with { Variants = [Spec.Variants[0], new VariantSpec { Name = "table", Change = table }], Findings = [] };

        var drawn = SensitivityDraws.ExperimentOf(spec, SensitivityDraws.From(spec, 2)[0]);

        Assert.Empty(ExperimentSpecReader.Check(drawn, RunTarget.SimulatedAccount).Errors);
        Assert.Null(ExperimentRuns.FullPlanOf(drawn, 1).Simulation);
        Assert.Equal(["physicalPartitions"], SensitivityDraws.ScaledIn(spec));
    }

    [Fact]
    public void ExperimentOf_ValueThatVariantsShare_IsReplacedAndTheirOwnDifferenceIsScaled()
    {
        var draw = SensitivityDraws.From(Spec, 20)[3];
        double Drawn(string name) => draw.Values[PhysicsParameters.All.ToList().FindIndex(parameter => parameter.Name == name)];
        var drawn = SensitivityDraws.ExperimentOf(Spec, draw);

        var (near, far) = (ExperimentRuns.FullPlanOf(drawn, 0).Simulation!, ExperimentRuns.FullPlanOf(drawn, 1).Simulation!);

        Assert.Equal(["latency.roundTripMs", "physicalPartitions"], SensitivityDraws.ScaledIn(Spec));
        Assert.All([near, far], simulation =>
        {
            Assert.Equal(Drawn("latency.gatewayHopMs"), simulation.Latency!.GatewayHopMs);
            Assert.Equal(Drawn("charges.perIndexedTerm"), simulation.Charges!.PerIndexedTerm);
            Assert.Equal(Math.Max(300, Math.Round(Drawn("throttling.retryAfterMaxMs"))), simulation.Throttling!.RetryAfterMaxMs);
            Assert.Equal((300, ConsistencyLevel.Eventual), (simulation.Throttling!.RetryAfterMinMs, simulation.Consistency));
        });
        Assert.Equal(Drawn("latency.roundTripMs"), near.Latency!.RoundTripMs, 3);
        Assert.Equal(80 / 1.3, far.Latency!.RoundTripMs / near.Latency.RoundTripMs, 0.1);
        var factor = Drawn("physicalPartitions");
        Assert.Equal(PhysicsParameters.PartitionsAt(10, factor), near.PhysicalPartitions);
        Assert.Equal(PhysicsParameters.PartitionsAt(4, factor), far.PhysicalPartitions);
    }

    /// <summary>What an account was measured to do is not assumed any more: only what the profile leaves open is drawn.</summary>
    [Fact]
    public void ExperimentOf_PhysicsOfAProfile_KeepsWhatItMeasured()
    {
        var physics = Spec.Base.DeepClone().AsObject();
        ProfileSimulation.Apply(physics, SampleProfiles.Create());
        var spec = Spec with { Base = physics, Variants = [Spec.Variants[0]], Findings = [] };

        var own = ExperimentRuns.FullPlanOf(spec, 0).Simulation!;
        var draw = SensitivityDraws.From(spec, 2)[0];
        var drawn = ExperimentRuns.FullPlanOf(SensitivityDraws.ExperimentOf(spec, draw), 0).Simulation!;

        Assert.Equal(
            ["latency.perBatchOperationMs", "throttling.retryAfterSpread"],
            SensitivityDraws.DrawnIn(spec).Select(parameter => parameter.Name));
        Assert.Equal(draw.Values, [drawn.Latency!.PerBatchOperationMs, drawn.Throttling!.RetryAfterSpread]);
        Assert.Equal(
            JsonSerializer.Serialize(own),
            JsonSerializer.Serialize(drawn with
            {
                Latency = drawn.Latency with { PerBatchOperationMs = own.Latency!.PerBatchOperationMs },
                Throttling = drawn.Throttling with { RetryAfterSpread = own.Throttling!.RetryAfterSpread },
            }));
    }

    [Fact]
    public void ExperimentOf_SplitsThatNamePartitions_KeepTheirNumber()
    {
        var split = JsonNode.Parse("""{ "splits": [ { "afterSeconds": 1, "partition": 9 } ] }""");
        var named = Spec with { Variants = [new VariantSpec { Name = "split", Change = new JsonObject { ["simulation"] = split } }] };

        var drawn = SensitivityDraws.ExperimentOf(named, SensitivityDraws.From(named, 2)[0]);

        Assert.Null(ExperimentRuns.FullPlanOf(drawn, 0).Simulation!.PhysicalPartitions);
        Assert.Equal(9, Assert.Single(ExperimentRuns.FullPlanOf(drawn, 0).Simulation!.Splits).Partition);
    }
}
