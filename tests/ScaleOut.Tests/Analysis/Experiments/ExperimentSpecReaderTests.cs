using System.Text.Json;
using System.Text.Json.Nodes;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Specs;
using ScaleOut.Validation;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentSpecReaderTests
{
    private const string Valid =
        """
        {
          "$schema": "./experiment.schema.json", "id": "modes", "name": "Two modes", "notes": ["a", "b"],
          "base": { "documents": 100000, "workers": 1, "client": { "concurrency": 20 } },
          "variants": [
            { "name": "gateway", "change": { "client": { "connectionMode": "Gateway" } }, "published": { "perSecond": 602, "seconds": 1660.277 } },
            { "name": "direct", "change": { "client": { "connectionMode": "Direct" } } }
          ],
          "repeats": 2, "interleaved": false, "pause": "00:00:05", "scale": 0.5
        }
        """;

    [Fact]
    public void Read_ValidPlan_GivesTheSpec()
    {
        var spec = ReadValid(Valid);

        Assert.Equal(("modes", "Two modes", 2, false, TimeSpan.FromSeconds(5), 0.5), (spec.Id, spec.Name, spec.Repeats, spec.Interleaved, spec.Pause, spec.Scale));
        Assert.Equal(["a", "b"], spec.Notes);
        Assert.Equal(["gateway", "direct"], spec.Variants.Select(variant => variant.Name));
        Assert.Equal(new PublishedFigures { PerSecond = 602, Seconds = 1660.277 }, spec.Variants[0].Published);
        Assert.Equal(ConnectionMode.Gateway, ExperimentRuns.FullPlanOf(spec, 0).Client.ConnectionMode);
        Assert.Equal(20, ExperimentRuns.FullPlanOf(spec, 0).Client.Concurrency);
    }

    [Fact]
    public void Read_SpecWrittenAsJson_ReadsBackTheSame()
    {
        var written = JsonSerializer.Serialize(ReadValid(Valid), ScaleOutJson.Compact);

        Assert.Equal(written, JsonSerializer.Serialize(ReadValid(written), ScaleOutJson.Compact));
    }

    [Fact]
    public void Read_EveryKindOfFault_NamesAllWhereTheyStand()
    {
        var faults = Read(
            """
            {
              "id": "An Id", "nmae": "x", "repeats": 0, "scale": 2,
              "base": { "id": "mine", "documents": 10, "wrkers": 3 },
              "variants": [
                { "name": "a", "change": { "workers": 11 } },
                { "name": "A", "change": { "client": { "concurency": 1 } } },
                { "change": { "workload": { "batchSize": 10 } } },
                { "name": " b", "published": { "perSecond": -1 } }
              ]
            }
            """);

        Assert.Equal(
            [
                "base.id", "base.wrkers", "id", "nmae", "repeats", "scale", "variants[0].change.workers", "variants[1].change.client.concurency", "variants[1].name",
                "variants[2].change.workload.batchSize", "variants[2].name", "variants[3].name", "variants[3].published.perSecond",
            ],
            faults.Select(fault => fault.Path).Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Read_FaultInTheBase_IsNamedOnceWhereItStands()
    {
        var fault = Assert.Single(Read("""{ "base": { "documents": 2, "workers": 3 }, "variants": [ { "name": "a" }, { "name": "b" } ] }"""));

        Assert.Equal("base.workers: 3 is more than the 2 documents", fault.ToString());
    }

    [Fact]
    public void Read_BaseThatEveryVariantMends_IsValid() =>
        Assert.Empty(Read("""{ "base": { "documents": 2, "workers": 3 }, "variants": [ { "name": "a", "change": { "workers": 2 } }, { "name": "b", "change": { "documents": 3 } } ] }"""));

    [Fact]
    public void Read_RequiredFields_MayComeFromBaseAndChangeTogether()
    {
        const string Base = """{ "workload": { "kind": "query", "query": { "text": "SELECT * FROM c" } } }""";

        Assert.Empty(Read($$"""{ "base": {{Base}}, "variants": [ { "name": "a", "change": { "workload": { "query": { "maxConcurrency": 4 } } } } ] }"""));
        Assert.Equal(
            "variants[0]: with the base, workload.query.text: is missing",
            Assert.Single(Read("""{ "variants": [ { "name": "a", "change": { "workload": { "kind": "query", "query": { "maxConcurrency": 4 } } } } ] }""")).ToString());
    }

    [Fact]
    public void Read_Findings_AreHeldToTheVariants()
    {
        var faults = Read("""{ "variants": [ { "name": "a" }, { "name": "b" } ], "findings": [ { "kind": "directBeatsGateway", "variants": ["a", "c"] }, { "kind": "bulk" } ] }""");

        Assert.Contains(faults, fault => fault.Path == "findings[0].variants[1]");
        Assert.Contains(faults, fault => fault.Path == "findings[1].variants");
    }

    [Fact]
    public void Read_ChangeThatDoesNotFitTheBase_SaysSoOfTheVariant()
    {
        var fault = Assert.Single(Read("""{ "base": { "workload": { "kind": "batch", "batchSize": 10 } }, "variants": [ { "name": "a" }, { "name": "b", "change": { "workload": { "kind": "insert" } } } ] }"""));

        Assert.Equal("variants[1]: with the base, workload.batchSize: only with kind batch, not with insert", fault.ToString());
    }

    [Theory]
    [InlineData("", "the plan is empty")]
    [InlineData("[]", "a plan of an experiment is a JSON object, not an array")]
    [InlineData("null", "a plan of an experiment is a JSON object, not null")]
    [InlineData("{", "not valid JSON at line 1")]
    [InlineData("{}", "variants: is missing")]
    [InlineData("""{ "variants": [] }""", "variants: has 0 items; out of range 1..100")]
    [InlineData("""{ "variants": [ null, 3 ] }""", "variants[1]: 3 is not an object")]
    [InlineData("""{ "variants": [ { "name": "a", "change": [] } ] }""", "variants[0].change: an array is not an object")]
    [InlineData("""{ "variants": [ { "name": "a" } ], "variants": [ { "name": "b" } ] }""", "variants: is given twice")]
    [InlineData("""{ "id": "a23456789012345678901234567890x", "variants": [ { "name": "a" } ] }""", "at most 30 characters")]
    public void Read_BrokenPlan_SaysWhatAndWhere(string plan, string message) =>
        Assert.Contains(Read(plan), fault => fault.ToString().Contains(message, StringComparison.Ordinal));

    [Fact]
    public void Read_TooManyRuns_IsAFault()
    {
        var variants = string.Join(',', Enumerable.Range(0, 11).Select(i => $$"""{ "name": "v{{i}}" }"""));

        Assert.Equal("repeats: 100 repeats of 11 variants are 1100 runs; at most 1000", Assert.Single(Read($$"""{ "repeats": 100, "variants": [{{variants}}] }""")).ToString());
    }

    [Theory]
    [InlineData(Valid, true)]
    [InlineData("""{ "base": {} }""", true)]
    [InlineData("""{ "documents": 3 }""", false)]
    [InlineData("[", false)]
    public void IsExperiment_Plan_LooksForItsParts(string plan, bool expected) => Assert.Equal(expected, ExperimentSpecReader.IsExperiment(plan));

    [Fact]
    public void Read_Edit_IsReadLikeThePlan()
    {
        var reading = ExperimentSpecReader.Read(Valid, edit: plan => SpecEdit.Set(plan, "scale", JsonValue.Create("small")));

        Assert.Equal("scale: \"small\" is not a number", Assert.Single(reading.Faults).ToString());
    }

    private static ExperimentSpec ReadValid(string plan)
    {
        var reading = ExperimentSpecReader.Read(plan, RunTarget.SimulatedAccount);
        Assert.Empty(reading.Faults);
        return reading.Spec!;
    }

    private static IReadOnlyList<SpecFault> Read(string plan)
    {
        var reading = ExperimentSpecReader.Read(plan, RunTarget.SimulatedAccount);
        Assert.Equal(reading.Faults.Count == 0, reading.Spec is not null);
        return reading.Faults;
    }
}
