namespace ScaleOut.Tests.Analysis.Experiments.Reading;

public sealed class LimitSpecRulesTests
{
    [Fact]
    public void Read_Search_ReadsBackAsItWasWritten()
    {
        var reading = ExperimentSpecReader.Read(
            """
            { "id": "orders", "base": { "workers": 2 },
              "limit": { "until": "p99<10ms && throttledShare<1%", "from": 50, "to": 5000, "repeats": 2, "confidence": 0.9,
                         "precision": 0.1, "stepDuration": "00:00:20" } }
            """);

        Assert.Empty(reading.Errors);
        var expected = new LimitSpec
        {
            Until = "p99<10ms && throttledShare<1%", From = 50, To = 5_000, Repeats = 2, Confidence = 0.9, Precision = 0.1,
            StepDuration = TimeSpan.FromSeconds(20),
        };
        Assert.Equal(expected, reading.Value!.Limit);
        var again = ExperimentSpecReader.Read(JsonSerializer.Serialize(reading.Value, ScaleOutJson.Compact));
        Assert.Empty(again.Errors);
        Assert.Equal(expected, again.Value!.Limit);
    }

    /// <summary>The units are those of conditions.</summary>
    [Theory]
    [InlineData("00:00:20", 20_000)]
    [InlineData("20s", 20_000)]
    [InlineData("1.5min", 90_000)]
    [InlineData("20500ms", 20_500)]
    public void Read_StepDuration_MayHaveAUnit(string text, double milliseconds)
    {
        var reading = ExperimentSpecReader.Read($$"""{ "base": { "warmup": "0s" }, "limit": { "stepDuration": "{{text}}" } }""");
        Assert.Empty(reading.Errors);
        Assert.Equal(milliseconds, reading.Value!.Limit!.StepDuration.TotalMilliseconds);
    }

    [Fact]
    public void Read_BrokenSearch_NamesEveryError()
    {
        var reading = ExperimentSpecReader.Read(
            """
            { "base": { "client": { "rate": 5 }, "warmup": "00:00:12", "workload": { "kind": "read" } },
              "variants": [ { "name": "a" } ], "scale": 0.5,
              "limit": { "until": "p98<10ms", "from": 50, "to": 5 } }
            """);

        Assert.Equal(
            ["base.client.rate", "base.workload.preload", "limit.stepDuration", "limit.to", "limit.until", "scale", "variants"],
            reading.Errors.Select(error => error.Path).Order(StringComparer.Ordinal));
    }

    /// <summary>Actions that read need documents to read; a rate is one of actions, which both kinds of conditions may name.</summary>
    [Theory]
    [InlineData("""{ "action": ["insert", "upsert"] }""", null)]
    [InlineData("""{ "action": ["read", "insert"], "preload": 100 }""", null)]
    [InlineData("""{ "action": ["read", "insert"] }""", "base.workload.preload")]
    public void Read_Action_NeedsDocumentsToRead(string workload, string? error)
    {
        var reading = ExperimentSpecReader.Read(
            $$"""{ "base": { "workload": {{workload}} }, "limit": { "until": "action.p99<50ms && insert.p99<20ms" } }""");
        Assert.Equal(error is null ? [] : [error], reading.Errors.Select(one => one.Path));
    }

    [Fact]
    public void Read_NeitherVariantsNorLimit_SaysWhatIsMissing() =>
        Assert.Equal("variants: is missing", Assert.Single(ExperimentSpecReader.Read("""{ "base": {} }""").Errors).ToString());

    [Theory]
    [InlineData("insert")]
    [InlineData("batch")]
    [InlineData("delete")]
    [InlineData("read")]
    public void Runs_OfEveryRate_AreValidSpecsThatEndByTheirTime(string kind)
    {
        var preload = kind == "read" ? ", \"preload\": 500" : "";
        var text = $$"""
            { "id": "an-id-of-thirty-characters-abc",
              "base": { "workers": 3, "workload": { "kind": "{{kind}}"{{preload}} } }, "limit": {} }
            """;
        var spec = ExperimentSpecReader.Read(text).Value!;
        var planner = new LimitPlanner(spec);

        foreach (var rate in new[] { 1, 3.142, 951.2, 1_000_000 })
        {
            var run = planner.RunAt(rate, repeat: 10);

            Assert.Empty(RunSpecReader.Check(run.Spec).Errors);
            Assert.Equal(rate, run.Spec.Workload.Steps!.Sum(step => step.Rate!.Value) * 3 / 2, precision: 6);
            Assert.Equal(spec.Limit!.StepDuration.TotalSeconds, run.Spec.Workload.Steps!.Sum(step => step.Duration.TotalSeconds));
            Assert.True(run.Spec.Documents > rate * spec.Limit.StepDuration.TotalSeconds);
            Assert.Equal((run.VariantName, run.Repeat), (planner.PlaceOf(run.Spec).VariantName, planner.PlaceOf(run.Spec).Repeat));
        }
    }
}
