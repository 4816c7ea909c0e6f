using ScaleOut.Templates;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class SpecWarningsTests
{
    [Theory]
    [InlineData("""{"workers":4,"client":{"rate":500}}""", "client.rate: 2,000 operations per second of 4 workers")]
    [InlineData(
        """{"workers":2,"workload":{"steps":[{"rate":1,"duration":"5s"},{"rate":900,"duration":"5s"}]}}""",
        "workload.steps: 1,800 operations per second of 2 workers")]
    public void From_RateBeyondTheThroughput_SaysWhatItWants(string json, string text)
    {
        var spec = RunSpecReader.Read(json).Value! with { Container = new() { Throughput = 400 } };
        var warning = Assert.Single(SpecWarnings.From(spec));
        Assert.StartsWith(text, warning, StringComparison.Ordinal);
        Assert.Contains("container.throughput is 400", warning, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"workers":4,"client":{"rate":10},"container":{"throughput":4000}}""")]
    [InlineData("""{"workers":4,"client":{"rate":5000},"container":{"name":"existing"}}""")]
    [InlineData("""{"workload":{"kind":"bulk"},"client":{"concurrency":1000}}""")]
    // One worker inserts slowly beside one that reads fast; one may use no more RU/s than there are.
    [InlineData(
        """
        {"workers":2,"workload":{"mix":{"insert":1,"read":1}},"container":{"throughput":4000},"workerOverrides":[
          {"workers":[0],"mix":{"insert":1},"client":{"rate":10}},{"workers":[1],"mix":{"read":1},"client":{"rate":2000}}]}
        """)]
    [InlineData(
        """
        {"workers":1,"client":{"rate":1000},"container":{"throughput":400},"workerOverrides":[{"workers":[0],"requestUnitRate":300}]}
        """)]
    // A full bank of 300,000 RU lasts for the 200 s.
    [InlineData(
        """
        {"documents":40000,"workers":1,"client":{"rate":200},"container":{"throughput":1000},"simulation":{"burst":true,"burstBank":1}}
        """)]
    public void From_SpecThatCanBeServed_HasNone(string json) =>
        Assert.Empty(SpecWarnings.From(RunSpecReader.Read(json).Value!, RunTarget.SimulatedAccount));

    [Fact]
    public void From_RateThatOutlastsTheBurstBank_SaysWhatItWants() => Assert.StartsWith(
        "client.rate: 200 operations per second of 1 workers",
        Assert.Single(SpecWarnings.From(RunSpecReader.Read(
            """
            {"documents":400000,"workers":1,"client":{"rate":200},"container":{"throughput":1000},"simulation":{"burst":true,"burstBank":1}}
            """).Value!)),
        StringComparison.Ordinal);

    /// <summary>Nobody says the RU/s of a database that is there.</summary>
    [Theory]
    [InlineData(RunTarget.OtherAccount, 0)]
    [InlineData(RunTarget.SimulatedAccount, 1)]
    public void From_ThroughputOfADatabase_IsKnownOnlyOfTheSimulatedAccount(RunTarget target, int warnings)
    {
        var spec = new RunSpec { Client = new() { Rate = 50_000 }, Container = new() { SharedThroughput = true } };
        Assert.Equal(warnings, SpecWarnings.From(spec, target).Count);
    }

    /// <summary>The service gives burst capacity to partitions under 3,000 RU/s; 6,000 RU/s are one partition.</summary>
    [Theory]
    [InlineData(6_000, 1)]
    [InlineData(2_900, 0)]
    public void From_BurstOfLargePartitions_SaysThatTheyHaveNone(int throughput, int warnings)
    {
        var spec = new RunSpec { Container = new() { Throughput = throughput }, Simulation = new() { Burst = true } };
        Assert.Equal(warnings, SpecWarnings.From(spec).Count(text => text.StartsWith("simulation.burst: ", StringComparison.Ordinal)));
    }

    [Fact]
    public void From_BulkWithFewInFlight_NamesTheTimer()
    {
        var spec = new RunSpec
        {
            Documents = 1_500, Workers = 1, Client = new() { Concurrency = 6 }, Workload = new() { Kind = WorkloadKind.Bulk },
        };
        AssertText.Has(
            Assert.Single(SpecWarnings.From(spec, RunTarget.SimulatedAccount)), "client.concurrency: 6 operations", "every 100 ms");
        Assert.Empty(SpecWarnings.From(spec with { Workload = new() }, RunTarget.SimulatedAccount));
    }

    /// <summary>
    /// 40% of 3,000,000 documents of 30 KB are 36 GB of one tenant; all are 89.9 GB, and 4,000 RU/s begin with one partition.
    /// </summary>
    [Fact]
    public void From_DocumentsBeyondTheStorage_NamesTheKeyAndThePartitions()
    {
        var spec = RunSpecReader.Read(
            """
            { "documents": 3000000, "container": { "throughput": 4000 },
              "document": { "kind": "template", "template": { "id": "{{guid}}", "tenant": "{{pick:big,big,t3,t4,t5}}",
                "region": "{{pick:eu,eu,eu,us}}",
                "a": "{{random:text:10000}}", "b": "{{random:text:10000}}", "c": "{{random:text:9885}}" } } }
            """).Value! with
        { Container = new() { Throughput = 4_000, PartitionKeyPath = "/tenant" } };
        var warnings = SpecWarnings.From(spec);
        Assert.Equal(2, warnings.Count);
        AssertText.Has(
            warnings[0], "container.partitionKeyPath: the most frequent /tenant has about 40% of the documents, 36", "20 GB", "403/1014");
        Assert.Single(SpecWarnings.From(spec with { Container = Levels("/tenant", "/id") }));
        AssertText.Has(
            SpecWarnings.From(spec with { Container = Levels("/tenant", "/region") })[0],
            "container.partitionKeyPaths: the most frequent /tenant, /region has about 30% of the documents, 27", "20 GB");
        AssertText.Has(warnings[1], "documents: about 89.9 GB", "fill 2 physical partitions of 50 GB, and the container begins with 1");
        Assert.Empty(SpecWarnings.From(spec with { Documents = 100_000 }));
        Assert.Empty(SpecWarnings.From(spec with { Documents = 100_000, Workload = new() { Kind = WorkloadKind.Read } }));

        static ContainerSpec Levels(params string[] paths) => new() { Throughput = 4_000, PartitionKeyPaths = paths };
    }

    /// <summary>Two thirds of 3,000,000 documents have 30 KB, and 40% of these are 24 GB of one tenant; of a half it is 18 GB.</summary>
    [Theory]
    [InlineData(2, "container.partitionKeyPath: the most frequent /tenant has about 26.67% of the documents, 24")]
    [InlineData(1, null)]
    public void From_KindOfDocumentsBeyondTheStorageOfAKey_NamesTheKey(int weight, string? warning)
    {
        var spec = RunSpecReader.Read(
            $$$"""
            { "documents": 3000000, "container": { "partitionKeyPath": "/tenant" }, "document": { "kinds": [
                { "weight": {{{weight}}}, "template": { "tenant": "{{pick:big,big,t3,t4,t5}}",
                  "a": "{{random:text:10000}}", "b": "{{random:text:10000}}", "c": "{{random:text:9885}}" } },
                { "weight": 1, "template": { "tenant": "{{guid}}" } } ] } }
            """).Value!;
        var found = SpecWarnings.From(spec).FirstOrDefault(text => text.StartsWith("container.", StringComparison.Ordinal));
        Assert.Equal(warning, found?[..Math.Min(found.Length, warning?.Length ?? 0)]);
    }

    [Theory]
    [InlineData("one", 1)]
    [InlineData("{{guid}}", 0)]
    [InlineData("{{pick:a,b,a,c}}", 0.5)]
    [InlineData("{{pick:big*12,small*88}}", 0.88)]
    [InlineData("{{pick:a*2.5,b,a*0.5}}", 0.75)]
    [InlineData("t-{{random:int:1:20}}-{{random:bool}}", 0.025)]
    [InlineData("{{zipf:1:3:1}}-x", 6 / 11.0)]
    [InlineData("{{zipf:5:6:2}}-x", 0.8)]
    public void LargestOf_Text_IsTheShareOfItsMostFrequentValue(string text, double share) =>
        Assert.Equal(share, KeyShare.LargestOf(TextTemplate.Parse(text, (_, message) => Assert.Fail(message))), 9);

    /// <summary>100 documents of 22.5 KB are more than the 2 MB of a transactional batch; 92 are less.</summary>
    [Fact]
    public void Read_BatchBeyondTwoMegabytes_IsAnErrorThatSaysHowManyFit()
    {
        string Spec(int batchSize) =>
            $$"""
            { "documents": 5000, "workload": { "kind": "batch", "batchSize": {{batchSize}} },
              "document": { "kind": "template", "template": { "id": "{{"{{id}}"}}", "pk": "{{"{{key}}"}}",
                "a": "{{"{{random:text:10000}}"}}", "b": "{{"{{random:text:10000}}"}}", "c": "{{"{{random:text:2500}}"}}" } } }
            """;
        var error = Assert.Single(RunSpecReader.Read(Spec(100)).Errors);
        Assert.Equal("workload.batchSize", error.Path);
        AssertText.Has(error.Message, "at most 2 MB", "at most 92 of them");
        Assert.Empty(RunSpecReader.Read(Spec(92)).Errors);
        Assert.NotEmpty(RunSpecReader.Read(Spec(94)).Errors);
    }

    /// <summary>
    /// A batch of 100 has 50 documents of 35 KB on average, 1.8 MB, but may have 20 more. One of 60 has at most 1.7 MB then.
    /// </summary>
    [Theory]
    [InlineData(100, "may be 2")]
    [InlineData(60, null)]
    public void Read_BatchOfSeveralKinds_MustHoldWhatChanceMayBring(int batchSize, string? message)
    {
        var errors = RunSpecReader.Read(
            $$$"""
            { "workload": { "kind": "batch", "batchSize": {{{batchSize}}} }, "document": { "kinds": [
                { "weight": 1, "template": { "pk": "{{key}}" } },
                { "weight": 1, "template": { "pk": "{{key}}", "a": "{{random:text:10000}}", "b": "{{random:text:10000}}",
                  "c": "{{random:text:10000}}", "d": "{{random:text:5000}}" } } ] } }
            """).Errors;
        Assert.Equal(message is null ? 0 : 1, errors.Count);
        Assert.All(errors, error => Assert.Contains(message!, error.Message, StringComparison.Ordinal));
    }
}
