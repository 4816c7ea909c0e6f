namespace ScaleOut.Tests.Analysis.Experiments.Reading;

public sealed class ExperimentSpecReaderTests
{
    private const string Valid =
        """
        {
          "$schema": "./experiment.schema.json", "id": "modes", "name": "Two modes", "notes": ["a", "b"],
          "base": { "documents": 100000, "workers": 1, "client": { "concurrency": 20 } },
          "variants": [
            {
              "name": "gateway", "change": { "client": { "connectionMode": "Gateway" } },
              "published": { "perSecond": 602, "seconds": 1660.277 }
            },
            { "name": "direct", "change": { "client": { "connectionMode": "Direct" } } }
          ],
          "repeats": 2, "interleaved": false, "pause": "00:00:05", "scale": 0.5
        }
        """;

    [Fact]
    public void Read_ValidSpec_GivesTheSpec()
    {
        var spec = ReadValid(Valid);

        Assert.Equal(
            ("modes", "Two modes", 2, false, TimeSpan.FromSeconds(5), 0.5),
            (spec.Id, spec.Name, spec.Repeats, spec.Interleaved, spec.Pause, spec.Scale));
        Assert.Equal(["a", "b"], spec.Notes);
        Assert.Equal(["gateway", "direct"], spec.Variants.Select(variant => variant.Name));
        Assert.Equal(new PublishedFigures { PerSecond = 602, Seconds = 1660.277 }, spec.Variants[0].Published);
        Assert.Equal(ConnectionMode.Gateway, GridPlanner.FullPlanOf(spec, 0).Client.ConnectionMode);
        Assert.Equal(20, GridPlanner.FullPlanOf(spec, 0).Client.Concurrency);
    }

    [Fact]
    public void Read_SpecWrittenAsJson_ReadsBackTheSame()
    {
        var written = JsonSerializer.Serialize(ReadValid(Valid), ScaleOutJson.Compact);
        Assert.Equal(written, JsonSerializer.Serialize(ReadValid(written), ScaleOutJson.Compact));
    }

    [Fact]
    public void Read_EveryKindOfError_IsNamedWithItsPath()
    {
        var errors = Read(
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
                "base.id", "base.wrkers", "id", "nmae", "repeats", "scale", "variants[0].change.workers",
                "variants[1].change.client.concurency", "variants[1].name",
                "variants[2].change.workload.batchSize", "variants[2].name", "variants[3].name", "variants[3].published.perSecond",
            ],
            errors.Select(error => error.Path).Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Read_ErrorInTheBase_IsNamedOnceWithItsPath()
    {
        var error = Assert.Single(
            Read("""{ "base": { "documents": 2, "workers": 3 }, "variants": [ { "name": "a" }, { "name": "b" } ] }"""));
        Assert.Equal("base.workers: 3 is more than the 2 documents", error.ToString());
    }

    [Fact]
    public void Read_BaseThatEveryVariantCorrects_IsValid() =>
        Assert.Empty(Read(
            """
            {
              "base": { "documents": 2, "workers": 3 },
              "variants": [ { "name": "a", "change": { "workers": 2 } }, { "name": "b", "change": { "documents": 3 } } ]
            }
            """));

    [Fact]
    public void Read_RequiredFields_MayComeFromBaseAndChangeTogether()
    {
        const string Base = """{ "workload": { "kind": "query", "query": { "text": "SELECT * FROM c" } } }""";

        Assert.Empty(Read(
            $$"""{ "base": {{Base}}, "variants": [ { "name": "a", "change": { "workload": { "query": { "maxConcurrency": 4 } } } } ] }"""));
        Assert.Equal(
            "variants[0]: with the base, workload.query.text: is missing",
            Assert.Single(Read(
                """
                { "variants": [ { "name": "a", "change": { "workload": { "kind": "query", "query": { "maxConcurrency": 4 } } } } ] }
                """)).ToString());
    }

    [Fact]
    public void Read_Findings_AreHeldToTheVariants()
    {
        var errors = Read(
            """
            {
              "variants": [ { "name": "a" }, { "name": "b" } ],
              "findings": [ { "kind": "directBeatsGateway", "variants": ["a", "c"] }, { "kind": "bulk" } ]
            }
            """);

        Assert.Contains(errors, error => error.Path == "findings[0].variants[1]");
        Assert.Contains(errors, error => error.Path == "findings[1].variants");
    }

    [Fact]
    public void Read_ChangeThatDoesNotFitTheBase_IsAnErrorOfTheVariant()
    {
        var error = Assert.Single(Read(
            """
            {
              "base": { "workload": { "kind": "batch", "batchSize": 10 } },
              "variants": [ { "name": "a" }, { "name": "b", "change": { "workload": { "kind": "insert" } } } ]
            }
            """));

        Assert.Equal(
            "variants[1]: with the base, workload.batchSize: only with kind batch or tableBatch, not with insert", error.ToString());
    }

    [Theory]
    [InlineData("", "the spec is empty")]
    [InlineData("[]", "the spec of an experiment is a JSON object, not an array")]
    [InlineData("null", "the spec of an experiment is a JSON object, not null")]
    [InlineData("{", "not valid JSON at line 1")]
    [InlineData("{}", "variants: is missing")]
    [InlineData("""{ "variants": [] }""", "variants: has 0 items; out of range 1..100")]
    [InlineData("""{ "variants": [ null, 3 ] }""", "variants[1]: 3 is not an object")]
    [InlineData("""{ "variants": [ { "name": "a", "change": [] } ] }""", "variants[0].change: an array is not an object")]
    [InlineData("""{ "variants": [ { "name": "a" } ], "variants": [ { "name": "b" } ] }""", "variants: is given twice")]
    [InlineData("""{ "id": "a23456789012345678901234567890x", "variants": [ { "name": "a" } ] }""", "at most 30 characters")]
    public void Read_BrokenText_SaysWhatAndWhere(string json, string message) =>
        Assert.Contains(Read(json), error => error.ToString().Contains(message, StringComparison.Ordinal));

    [Fact]
    public void Read_TooManyRuns_IsAError()
    {
        var variants = string.Join(',', Enumerable.Range(0, 11).Select(i => $$"""{ "name": "v{{i}}" }"""));
        Assert.Equal(
            "repeats: 100 repeats of 11 variants are 1100 runs; at most 1000",
            Assert.Single(Read($$"""{ "repeats": 100, "variants": [{{variants}}] }""")).ToString());
    }

    [Theory]
    [InlineData(Valid, true)]
    [InlineData("""{ "base": {} }""", true)]
    [InlineData("""{ "documents": 3 }""", false)]
    [InlineData("[", false)]
    public void IsExperiment_Text_LooksForItsParts(string json, bool expected) =>
        Assert.Equal(expected, ExperimentSpecReader.IsExperiment(json));

    [Fact]
    public void Read_Edit_IsReadLikeTheSpec()
    {
        var reading = ExperimentSpecReader.Read(Valid, edit: spec => SpecEdit.Set(spec, "scale", JsonValue.Create("small")));
        Assert.Equal("scale: \"small\" is not a number", Assert.Single(reading.Errors).ToString());
    }

    private static ExperimentSpec ReadValid(string json)
    {
        var reading = ExperimentSpecReader.Read(json, RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }

    private static IReadOnlyList<ValidationError> Read(string json)
    {
        var reading = ExperimentSpecReader.Read(json, RunTarget.SimulatedAccount);
        Assert.Equal(reading.Errors.Count == 0, reading.Value is not null);
        return reading.Errors;
    }
}
