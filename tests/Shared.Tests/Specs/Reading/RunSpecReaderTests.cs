using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Specs.Reading;

public sealed class RunSpecReaderTests
{
    private const string ClientFields = "connectionMode, concurrency, consistency, maxConnections, maxRequestsPerConnection, "
        + "idleConnectionTimeout, requestTimeout, priority, throughputBucket, preferredRegion, contentResponseOnWrite, rate, cores";
    private const string NoIndexPath = "is not an index path such as \"/SomeText/?\", \"/SomeText/*\" or \"/*\"";
    private const string NoKind = "is not one of insert, upsert, bulk, batch, read, query, delete, tableBatch, patch, mix, replace, action";
    private const string NoName = "is not a name for a database or container (1 to 255 characters, none of / \\ ? #, no space at the end)";
    private const string NoRunId = "is not a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)";
    private const string Latency = """{"simulation":{"latency":{"roundTripMs":1,"gatewayHopMs":0,"writeMedianMs":0,"readMedianMs":0,""";

    [Theory]
    // Unknown, missing and repeated fields.
    [InlineData("""{"container":{"througput":400}}""", "container.througput: unknown field; did you mean 'throughput'?")]
    [InlineData("""{"Documents":5}""", "Documents: unknown field; did you mean 'documents'?")]
    [InlineData("""{"workload":{"speed":1}}""",
        "workload.speed: unknown field; there are kind, mix, action, batchSize, bulk, preload, ofRun, query, choose, matchEtag, thinkTime, "
        + "requestUnitRate, maxRequestUnitShare, steps")]
    [InlineData("""{"workload":{"population":5}}""", "workload.population: unknown field; 'preload' replaces it")]
    [InlineData("""{"client":{"population":5}}""", "client.population: unknown field; there are " + ClientFields)]
    [InlineData("""{"client":{"a.b":1}}""", "client[\"a.b\"]: unknown field; there are " + ClientFields)]
    [InlineData("""{"client":{"$schema":"x"}}""", "client.$schema: unknown field; there are " + ClientFields)]
    [InlineData("""{"documents":5,"documents":6}""", "documents: is given twice")]
    [InlineData("""{"client":{"rate":5,"rate":6}}""", "client.rate: is given twice")]
    [InlineData("""{"workerOverrides":[{"client":{}}]}""", "workerOverrides[0].workers: is missing")]
    [InlineData("""{"workerOverrides":[{"workers":null,"client":{}}]}""", "workerOverrides[0].workers: is missing")]
    // Types.
    [InlineData("""{"documents":"5"}""", "documents: \"5\" is not a whole number")]
    [InlineData("""{"documents":1.5}""", "documents: 1.5 is not a whole number")]
    [InlineData("""{"documents":1e-400}""", "documents: 1e-400 is not a whole number")]
    [InlineData("""{"documents":true}""", "documents: true is not a whole number")]
    [InlineData("""{"workload":"bulk"}""", "workload: \"bulk\" is not an object")]
    [InlineData("""{"workload":[]}""", "workload: an array is not an object")]
    [InlineData("""{"workerOverrides":{}}""", "workerOverrides: an object is not an array")]
    [InlineData("""{"workerOverrides":[null]}""", "workerOverrides[0]: null is not an object")]
    [InlineData("""{"container":{"keep":"yes"}}""", "container.keep: \"yes\" is not true or false")]
    [InlineData("""{"client":{"rate":"fast"}}""", "client.rate: \"fast\" is not a number")]
    [InlineData("""{"name":5}""", "name: 5 is not a text of at most 200 characters, none of which reorders text")]
    [InlineData("""{"$schema":5}""", "$schema: 5 is not a text of at most 2000 characters, none of which reorders text")]
    // Ranges of whole numbers.
    [InlineData("""{"documents":0}""", "documents: 0 is out of range 1..1000000000000")]
    [InlineData("""{"documents":1000000000001}""", "documents: 1000000000001 is out of range 1..1000000000000")]
    [InlineData("""{"documents":1e400}""", "documents: 1e400 is out of range 1..1000000000000")]
    [InlineData("""{"documents":-99999999999999999999999}""",
        "documents: -99999999999999999999999 is out of range 1..1000000000000")]
    [InlineData("""{"workers":0}""", "workers: 0 is out of range 1..1000")]
    [InlineData("""{"workers":1001}""", "workers: 1001 is out of range 1..1000")]
    [InlineData("""{"container":{"partitionKeyPaths":["/id"]}}""", "container.partitionKeyPaths: has 1 items; out of range 2..3")]
    [InlineData("""{"container":{"partitionKeyPaths":["/a/b","/id"]}}""",
        "container.partitionKeyPaths[0]: \"/a/b\" is not a path such as \"/PartitionKey\"")]
    [InlineData("""{"container":{"partitionKeyPaths":["/id","/id"]}}""", "container.partitionKeyPaths[1]: \"/id\" is listed twice")]
    [InlineData("""{"container":{"excludedPaths":["/*"],"includedPaths":["/SomeText"]}}""",
        "container.includedPaths[0]: \"/SomeText\" is not an index path such as \"/SomeText/?\", \"/SomeText/*\" or \"/*\"")]
    [InlineData("""{"container":{"compositeIndexes":["/a"]}}""",
        "container.compositeIndexes[0]: \"/a\" is not a composite index of 2 to 8 paths such as \"/status, /lastSeen DESC\"")]
    [InlineData("""{"workload":{"kind":"read","choose":"hottest"}}""", "workload.choose: \"hottest\" is not one of even, zipf, latest")]
    [InlineData("""{"workload":{"kind":"replace","matchEtag":"yes"}}""", "workload.matchEtag: \"yes\" is not true or false")]
    [InlineData("""{"container":{"timeToLive":-2}}""", "container.timeToLive: -2 is out of range -1..2147483647")]
    [InlineData("""{"workload":{"kind":"batch","batchSize":0}}""", "workload.batchSize: 0 is out of range 1..100")]
    [InlineData("""{"workload":{"kind":"batch","batchSize":101}}""", "workload.batchSize: 101 is out of range 1..100")]
    [InlineData("""{"client":{"concurrency":0}}""", "client.concurrency: 0 is out of range 1..100000")]
    [InlineData("""{"client":{"concurrency":100001}}""", "client.concurrency: 100001 is out of range 1..100000")]
    [InlineData("""{"client":{"maxConnections":65536}}""", "client.maxConnections: 65536 is out of range 1..65535")]
    [InlineData("""{"client":{"maxConnections":0}}""", "client.maxConnections: 0 is out of range 1..65535")]
    [InlineData("""{"client":{"maxRequestsPerConnection":0}}""", "client.maxRequestsPerConnection: 0 is out of range 1..1000")]
    [InlineData("""{"client":{"throughputBucket":6}}""", "client.throughputBucket: 6 is out of range 1..5")]
    [InlineData("""{"client":{"idleConnectionTimeout":"5min"}}""",
        "client.idleConnectionTimeout: \"5min\" is out of range 00:10:00..23:59:59")]
    [InlineData("""{"client":{"requestTimeout":"11s"}}""", "client.requestTimeout: \"11s\" is out of range 00:00:01..00:00:10")]
    [InlineData("""{"client":{"requestTimeout":"00:00:01.5"}}""",
        "client.requestTimeout: 00:00:01.5000000 is not a whole number of seconds, and the SDK takes no others")]
    [InlineData("""{"client":{"priority":"Medium"}}""", "client.priority: \"Medium\" is not one of High, Low")]
    [InlineData("""{"client":{"preferredRegion":""}}""",
        "client.preferredRegion: \"\" is not a text of 1 to 30 characters, none of which reorders text")]
    [InlineData("""{"seed":2147483648}""", "seed: 2147483648 is out of range -2147483648..2147483647")]
    [InlineData("""{"container":{"throughput":300}}""", "container.throughput: 300 is out of range 400..10000000")]
    [InlineData("""{"container":{"throughput":10000100}}""", "container.throughput: 10000100 is out of range 400..10000000")]
    [InlineData("""{"container":{"throughput":450}}""", "container.throughput: 450 is not a multiple of 100")]
    [InlineData("""{"simulation":{"physicalPartitions":4097}}""", "simulation.physicalPartitions: 4097 is out of range 1..4096")]
    [InlineData("""{"workerOverrides":[{"workers":[1000],"client":{}}]}""", "workerOverrides[0].workers[0]: 1000 is out of range 0..999")]
    [InlineData("""{"workerOverrides":[{"workers":[-1],"client":{}}]}""", "workerOverrides[0].workers[0]: -1 is out of range 0..999")]
    // Ranges of other numbers.
    [InlineData("""{"client":{"rate":0}}""", "client.rate: 0 is out of range 0.001..1000000")]
    [InlineData("""{"client":{"rate":1e-300}}""", "client.rate: 1e-300 is out of range 0.001..1000000")]
    [InlineData("""{"client":{"rate":1e400}}""", "client.rate: 1e400 is out of range 0.001..1000000")]
    [InlineData("""{"simulation":{"latency":{"roundTripMs":-1,"gatewayHopMs":0,"writeMedianMs":0,"readMedianMs":0}}}""",
        "simulation.latency.roundTripMs: -1 is out of range 0..10000")]
    [InlineData(Latency + "\"tailFactor\":0.5}}}", "simulation.latency.tailFactor: 0.5 is out of range 1..1000")]
    [InlineData(Latency + "\"writeQuantiles\":[[0.5,4],[0.4,5]]}}}",
        "simulation.latency.writeQuantiles[1][0]: 0.4 is not above the 0.5 before it")]
    [InlineData(Latency + "\"readQuantiles\":[[0.5,4],[0.9,3]]}}}",
        "simulation.latency.readQuantiles[1][1]: 3 is less than the 4 before it")]
    [InlineData(Latency + "\"readQuantiles\":[[0.5,4],[1,5]]}}}",
        "simulation.latency.readQuantiles[1][0]: 1 is no probability between 0 and 1")]
    [InlineData("""{"simulation":{"throttling":{"retryAfterMinMs":500,"retryAfterMaxMs":100}}}""",
        "simulation.throttling.retryAfterMaxMs: 100 is less than retryAfterMinMs 500")]
    // Lists.
    [InlineData("""{"workerOverrides":[{"workers":[],"client":{}}]}""", "workerOverrides[0].workers: has 0 items; out of range 1..1000")]
    [InlineData("""{"workerOverrides":[{"workers":[1,2,1],"client":{}}]}""", "workerOverrides[0].workers[2]: 1 is listed twice")]
    [InlineData("""{"workerOverrides":[{"workers":[1,1.0],"client":{}}]}""", "workerOverrides[0].workers[1]: 1.0 is listed twice")]
    [InlineData("""{"container":{"excludedPaths":["/a/?","/a/?"]}}""", "container.excludedPaths[1]: \"/a/?\" is listed twice")]
    [InlineData("""{"container":{"excludedPaths":["/a/?",7]}}""", "container.excludedPaths[1]: 7 " + NoIndexPath)]
    // Names out of a list.
    [InlineData("""{"workload":{"kind":"blk"}}""", "workload.kind: \"blk\" " + NoKind + "; did you mean 'bulk'?")]
    [InlineData("""{"workload":{"kind":2}}""", "workload.kind: 2 " + NoKind)]
    [InlineData("""{"workload":{"action":["read","fly"]}}""", "workload.action[1]: \"fly\" " + NoKind)]
    [InlineData("""{"workload":{"action":[]}}""", "workload.action: has 0 items; out of range 1..20")]
    [InlineData("""{"document":{"kind":"iot"}}""", "document.kind: \"iot\" is not one of perfTest, device, flights, csv, template, mixed")]
    [InlineData("""{"client":{"connectionMode":"TCP"}}""", "client.connectionMode: \"TCP\" is not one of Gateway, Direct")]
    [InlineData("""{"client":{"consistency":""}}""",
        "client.consistency: \"\" is not one of Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual")]
    [InlineData("""{"container":{"indexing":"Off"}}""", "container.indexing: \"Off\" is not one of Consistent, Lazy, None")]
    [InlineData(
        """{"simulation":{"latency":"far"}}""",
        "simulation.latency: \"far\" is not one of none, same-region, cross-region, recorded, nor an object")]
    [InlineData("""{"simulation":{"latency":5}}""",
        "simulation.latency: 5 is not one of none, same-region, cross-region, recorded, nor an object")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"operation":"Delet"}]}}""",
        "simulation.faults[0].operation: \"Delet\" is not one of Create, Upsert, Replace, Read, Delete, Batch, Query, Patch; did you mean "
            + "'Delete'?")]
    // Durations.
    [InlineData("""{"legDuration":"5x"}""", "legDuration: \"5x\" is not a duration such as \"00:00:30\" or \"30s\"")]
    [InlineData("""{"legDuration":30}""", "legDuration: 30 is not a duration such as \"00:00:30\" or \"30s\"")]
    [InlineData("""{"legDuration":"1.00:00:00"}""", "legDuration: \"1.00:00:00\" is not a duration such as \"00:00:30\" or \"30s\"")]
    [InlineData("""{"legDuration":"00:00:30\n"}""", "legDuration: \"00:00:30\\n\" is not a duration such as \"00:00:30\" or \"30s\"")]
    [InlineData("""{"legDuration":"00:00:00.5"}""", "legDuration: \"00:00:00.5\" is out of range 00:00:01..00:20:00")]
    [InlineData("""{"legDuration":"00:20:01"}""", "legDuration: \"00:20:01\" is out of range 00:00:01..00:20:00")]
    [InlineData("""{"warmup":"00:10:01"}""", "warmup: \"00:10:01\" is out of range 00:00:00..00:10:00")]
    [InlineData("""{"startTimeout":"00:00:00"}""", "startTimeout: \"00:00:00\" is out of range 00:00:01..00:30:00")]
    // Texts with a form.
    [InlineData("""{"id":"Run 1"}""", "id: \"Run 1\" " + NoRunId)]
    [InlineData("""{"id":"-1"}""", "id: \"-1\" " + NoRunId)]
    [InlineData("""{"id":"a\n"}""", "id: \"a\\n\" " + NoRunId)]
    [InlineData("""{"container":{"database":"a/b"}}""", "container.database: \"a/b\" " + NoName)]
    [InlineData("""{"container":{"name":"a "}}""", "container.name: \"a \" " + NoName)]
    [InlineData("""{"container":{"name":""}}""", "container.name: \"\" " + NoName)]
    [InlineData("""{"container":{"partitionKeyPath":"PartitionKey"}}""",
        "container.partitionKeyPath: \"PartitionKey\" is not a path such as \"/PartitionKey\"")]
    [InlineData("""{"container":{"excludedPaths":["/a"]}}""", "container.excludedPaths[0]: \"/a\" " + NoIndexPath)]
    [InlineData("""{"container":{"excludedPaths":["/?"]}}""", "container.excludedPaths[0]: \"/?\" " + NoIndexPath)]
    // Rules of simulation.faults.
    [InlineData("""{"simulation":{"faults":[{"status":200}]}}""", "simulation.faults[0].status: 200 is out of range 400..599")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"subStatus":-1}]}}""",
        "simulation.faults[0].subStatus: -1 is out of range 0..2147483647")]
    [InlineData(
        """{"simulation":{"faults":[{"status":429,"partition":4396}]}}""", "simulation.faults[0].partition: 4396 is out of range 0..4395")]
    [InlineData("""{"simulation":{"splits":[{"afterSeconds":-1,"partition":0}]}}""",
        "simulation.splits[0].afterSeconds: -1 is out of range 0..1000000")]
    [InlineData("""{"simulation":{"splits":[{"afterSeconds":1}]}}""", "simulation.splits[0].partition: is missing")]
    [InlineData("""{"simulation":{"merges":[{"partition":0}]}}""", "simulation.merges[0].afterSeconds: is missing")]
    [InlineData("""{"simulation":{"storageFactor":0}}""", "simulation.storageFactor: 0 is out of range 1..1000000000")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"probability":0}]}}""",
        "simulation.faults[0].probability: 0 is out of range 1E-06..1")]
    [InlineData(
        """{"simulation":{"faults":[{"status":429,"maxHits":0}]}}""", "simulation.faults[0].maxHits: 0 is out of range 1..1000000000000")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"fromSeconds":-1}]}}""",
        "simulation.faults[0].fromSeconds: -1 is out of range 0..1000000")]
    [InlineData("""{"simulation":{"faults":[{"delayMs":0}]}}""",
        "simulation.faults[0].delayMs: 0 is out of range 0.001..600000")]
    // The spec as a whole.
    [InlineData("", "the spec is empty; a JSON object is expected")]
    [InlineData(" \n", "the spec is empty; a JSON object is expected")]
    [InlineData("[]", "a spec is a JSON object, not an array")]
    [InlineData("null", "a spec is a JSON object, not null")]
    [InlineData("5", "a spec is a JSON object, not 5")]
    public void Read_OneError_NamesPlaceAndReason(string json, string error)
    {
        var reading = RunSpecReader.Read(json);
        Assert.Equal([error], Texts(reading));
        Assert.Null(reading.Value);
    }

    [Theory]
    [InlineData("{\n  \"documents\": 5,\n  }", 3, 3)]
    [InlineData("{\"a\":1", 1, 7)]
    [InlineData("{\n\"näme\": x}", 2, 9)]
    [InlineData("\uFEFF{,}", 1, 2)]
    [InlineData("{} {}", 1, 4)]
    [InlineData("{\"documents\":01}", 1, 15)]
    public void Read_BrokenJson_OneErrorWithLineAndColumn(string json, int line, int column)
    {
        var error = Assert.Single(RunSpecReader.Read(json).Errors);

        Assert.Equal("", error.Path);
        Assert.StartsWith($"not valid JSON at line {line}, column {column}: ", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("LineNumber", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
        Assert.DoesNotContain("reader options", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{\"documents\":5,}", "nothing follows a comma; remove the comma")]
    [InlineData("{\"workers\":[1,]}", "nothing follows a comma; remove the comma")]
    public void Read_TrailingComma_SaysWhatToRemove(string json, string says) =>
        Assert.EndsWith(says, Assert.Single(RunSpecReader.Read(json).Errors).Message, StringComparison.Ordinal);

    [Fact]
    public void Read_Comments_AreSkipped()
    {
        var reading = RunSpecReader.Read("{ // five\n\"documents\":5, /* of \"workers\": 7 */ \"workers\": 2 } // end");
        Assert.Empty(reading.Errors);
        Assert.Equal((5, 2), (reading.Value!.Documents, reading.Value.Workers));
    }

    [Fact]
    public void Read_ManyErrors_NamesThemAllAtOnce()
    {
        const string json = """
            {
              "workers": 4, "legDuration": "5x", "client": { "concurrency": 0, "connectionMode": "Tcp" },
              "workerOverrides": [ { "workers": [1], "client": {} }, { "workers": [7], "client": { "concurrency": "x" } } ],
              "container": { "througput": 400, "name": "mine", "keep": true }, "colour": "red"
            }
            """;

        Assert.Equal(
            [
                "client.connectionMode: \"Tcp\" is not one of Gateway, Direct",
                "client.concurrency: 0 is out of range 1..100000",
                "workerOverrides[1].client.concurrency: \"x\" is not a whole number",
                "container.througput: unknown field; did you mean 'throughput'?",
                "legDuration: \"5x\" is not a duration such as \"00:00:30\" or \"30s\"",
                "colour: unknown field; there are id, name, documents, workers, workload, document, client, workerOverrides, container, "
                    + "legDuration, warmup, startTimeout, seed, simulation",
                "workerOverrides[1].workers[0]: worker 7 does not exist (0..3)",
                "container.keep: not beside container.name: an existing container is used as it is",
            ],
            Texts(RunSpecReader.Read(json)));
    }

    [Fact]
    public void Read_LatencyWithoutItsNumbers_NamesEachThatIsMissing() => Assert.Equal(
        [
            "simulation.latency.gatewayHopMs: is missing", "simulation.latency.writeMedianMs: is missing",
            "simulation.latency.readMedianMs: is missing"
        ],
        Texts(RunSpecReader.Read("""{"simulation":{"latency":{"roundTripMs":1}}}""")));

    [Theory]
    [InlineData("{}")]
    [InlineData("\uFEFF{\"$schema\":\"./run.schema.json\"}")]
    [InlineData("""{"id":null,"documents":null,"client":null,"workerOverrides":null,"""
            + """ "container":{"name":null,"throughput":null,"excludedPaths":null},"simulation":null,"warmup":null}""")]
    public void Read_NothingGiven_IsTheDefault(string json)
    {
        var reading = RunSpecReader.Read(json);
        Assert.Empty(reading.Errors);
        Assert.Equivalent(new RunSpec(), reading.Value, strict: true);
    }

    [Fact]
    public void Read_NumbersInOtherNotations_AreWhole()
    {
        var spec = RunSpecReader.Read("""{"documents":1e6,"workers":8.0,"seed":-0,"client":{"concurrency":0.5e2}}""").Value!;
        Assert.Equal((1_000_000, 8, 0, 50), (spec.Documents, spec.Workers, spec.Seed, spec.Client.Concurrency));
    }

    [Fact]
    public void Read_NamesInAnyCase_AreTheSame()
    {
        const string json = """
            {
              "workload":{"kind":"BULK"},"client":{"connectionMode":"direct"},
              "container":{"indexing":"none"},"simulation":{"latency":"Cross-Region"}
            }
            """;
        var spec = RunSpecReader.Read(json).Value!;

        Assert.Equal(
            (WorkloadKind.Bulk, ConnectionMode.Direct, IndexingMode.None, LatencyProfile.CrossRegion),
            (spec.Workload.Kind, spec.Client.ConnectionMode!.Value, spec.Container.Indexing, spec.Simulation!.Latency));
    }

    [Fact]
    public void Read_TextThatIsNoUnicode_IsAnError()
    {
        Assert.Equal(["name: is not text: it holds half of a surrogate pair"], Texts(RunSpecReader.Read("""{"name":"\ud83d"}""")));
        Assert.NotEmpty(RunSpecReader.Read("""{"\ud83d":1}""").Errors);
        Assert.NotEmpty(RunSpecReader.Read("{\"\ud83d\":1}").Errors);
    }

    [Fact]
    public void Read_LongValue_IsQuotedInPart()
    {
        var error = Assert.Single(RunSpecReader.Read($$"""{"id":"{{new string('x', 5_000)}}"}""").Errors);
        Assert.InRange(error.Message.Length, 60, 200);
    }

    [Fact]
    public void Read_DeepNesting_IsAnError() =>
        Assert.NotEmpty(RunSpecReader.Read(string.Concat(Enumerable.Repeat("{\"client\":", 10_000))).Errors);

    [Fact]
    public void Read_AnyText_NeverThrows() => Properties.Holds(
        Prop.ForAll(SpecGenerators.ValidSpecs, spec =>
        {
            // Valid text that is cut and overwritten gets much further than random text.
            var random = new Random(spec.Seed);
            var text = JsonSerializer.Serialize(spec, ScaleOutJson.Compact).ToCharArray();
            for (var i = 0; i < 3; i++)
                text[random.Next(text.Length)] = "{}[]\",:0e-\\n\ud83d"[random.Next(13)];
            var reading = RunSpecReader.Read(new string(text, 0, random.Next(text.Length + 1)));
            return reading.Value is null == reading.Errors.Count > 0;
        }),
        cases: 1_000);

    [Fact]
    public void Read_Edit_OverridesFieldsBeforeTheyAreRead()
    {
        var reading = RunSpecReader.Read("""{"documents":"many","client":{"rate":5}}""", edit: spec =>
        {
            SpecEdit.Set(spec, "documents", 500);
            SpecEdit.Set(spec, "client.concurrency", 0);
            SpecEdit.Set(spec, "container.throughput", 450);
        });

        Assert.Equal(
            ["client.concurrency: 0 is out of range 1..100000", "container.throughput: 450 is not a multiple of 100"], Texts(reading));
    }

    [Fact]
    public void Read_EditToSomethingWithoutJson_IsAnError() =>
        Assert.Single(RunSpecReader.Read("{}", edit: spec => SpecEdit.Set(spec, "client.rate", double.NaN)).Errors);

    [Fact]
    public void Read_BrokenJson_IsNotEdited() =>
        Assert.Single(RunSpecReader.Read("{", edit: _ => Assert.Fail("there is nothing to edit")).Errors);

    [Fact]
    public void Read_Element_NamesFieldsThatAreGivenTwice()
    {
        using var document = JsonDocument.Parse("""{"documents":5,"documents":0}""");
        Assert.Equal(
            ["documents: is given twice", "documents: 0 is out of range 1..1000000000000"],
            Texts(RunSpecReader.Read(document.RootElement)));
        Assert.Single(RunSpecReader.Read(default(JsonElement)).Errors);
    }

    [Fact]
    public void Read_Object_IsTheSameAsItsText()
    {
        var json = new JsonObject { ["documents"] = 5, ["workers"] = 2, ["client"] = new JsonObject { ["rate"] = 0.5 } };
        Assert.Equivalent(RunSpecReader.Read(json.ToJsonString()).Value, RunSpecReader.Read(json).Value, strict: true);
    }

    [Fact]
    public void Check_SpecBuiltInCode_IsValidatedAsIfRead()
    {
        var spec = new RunSpec { Workers = 0, Container = new ContainerSpec { Name = "mine", Throughput = 500 } };

        Assert.Equal(
            [
                "workers: 0 is out of range 1..1000",
                "container.throughput: not beside container.name: an existing container is used as it is"
            ],
            Texts(RunSpecReader.Check(spec)));
    }

    [Fact]
    public void Check_ValueWithoutJson_IsAnError()
    {
        Assert.Single(RunSpecReader.Check(new RunSpec { Client = new ClientSpec { Rate = double.NaN } }).Errors);
        Assert.Single(RunSpecReader.Check(new RunSpec { Client = new ClientSpec { ConnectionMode = (ConnectionMode)7 } }).Errors);
    }

    private static IEnumerable<string> Texts(ReadResult<RunSpec> reading) => reading.Errors.Select(error => error.ToString());
}
