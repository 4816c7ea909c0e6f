using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class RunEstimateTests
{
    private static readonly ContainerSpec Unlimited = new() { Throughput = 10_000_000 };

    [Theory]
    [InlineData(RunTarget.OtherAccount, false)]
    [InlineData(RunTarget.Undecided, false)]
    [InlineData(RunTarget.SimulatedAccount, true)]
    public void From_ThroughputOfADatabase_IsKnownOnlyOfTheSimulatedAccount(RunTarget target, bool isKnown) => Assert.Equal(
        isKnown, RunEstimate.From(new RunSpec { Container = new() { SharedThroughput = true } }, target).Seconds is not null);

    [Theory]
    [InlineData("""{}""", 7.05)]
    [InlineData("""{"workload":{"kind":"batch"}}""", 148.0 / 21)]
    [InlineData("""{"workload":{"kind":"bulk"}}""", 148.0 / 21)]
    [InlineData("""{"container":{"indexing":"None"}}""", 4.95)]
    [InlineData("""{"container":{"indexing":"Lazy"}}""", 4.95)]
    [InlineData("""{"container":{"excludedPaths":["/*"]}}""", 5.52)]
    [InlineData("""{"container":{"excludedPaths":["/SomeText/?","/SomeText/*","/other/?"]}}""", 6.67)]
    [InlineData("""{"container":{"name":"existing"}}""", 7.05)]
    public void From_Spec_ChargesEachDocumentByItsIndex(string json, double perDocument)
    {
        var spec = RunSpecReader.Read(json).Value!;
        Assert.Equal(perDocument * spec.Documents, RunEstimate.From(spec).RequestUnits, 1);
    }

    /// <summary>
    /// 30,000 inserts of 7.05 RU are 211,500 RU, within the bank of 300 s x 1,000 RU/s: 70.5 s at 3,000 RU/s. 100,000 are 705,000 RU: what
    /// the bank lacks takes 405 s at 1,000 RU/s, and without a bank all takes 705 s.
    /// </summary>
    [Theory]
    [InlineData(30_000, 1, 70.5)]
    [InlineData(100_000, 1, 405)]
    [InlineData(100_000, 0, 705)]
    public void From_BurstBank_IsSpentAtTheBurstLimitBeforeTheThroughput(int documents, double bank, double seconds)
    {
        var spec = new RunSpec
        {
            Documents = documents, Container = new() { Throughput = 1_000 },
            Simulation = new() { Burst = true, BurstBank = bank, Latency = LatencyProfile.None },
        };
        Assert.Equal(seconds, RunEstimate.From(spec).Seconds!.Value, 1);
    }

    /// <summary>
    /// Half of the documents cost 7.05 RU, and half have a text of 50,000 characters, for which 24 RU, rounded, were measured.
    /// </summary>
    [Fact]
    public void ChargeOf_SeveralKindsOfDocuments_IsTheirMean()
    {
        var text = string.Concat(Enumerable.Repeat("{{random:text:10000}}", 5));
        var template = new JsonObject { ["PartitionKey"] = "{{key}}", ["payload"] = text }.ToJsonString();
        var spec = new RunSpec
        {
            Document = new() { Kinds = [new() { Weight = 3 }, new() { Weight = 3, Template = template }] },
        };
        Assert.InRange(RunEstimate.ChargeOf(spec), (7.05 + 23.5) / 2, (7.05 + 24.5) / 2);
        Assert.Equal(
            RunEstimate.ChargeOf(spec), RunEstimate.ChargeOf(spec, DocumentShape.From(spec.Document).Bytes), tolerance: 0.001);
    }

    /// <summary>
    /// Without an index, in 21sts of a RU: a read of 1 KB 21, an insert 4 x 26, and a patch 4 x (26 + 26) besides 0.286 and 0.029 RU.
    /// </summary>
    [Fact]
    public void From_Action_IsTheSumOfItsSteps()
    {
        var spec = RunSpecReader.Read(
            """
            {
              "documents": 100, "workers": 1, "workload": { "action": ["read", "insert", "patch", "insert"] },
              "client": { "concurrency": 1, "rate": 8 }, "container": { "indexing": "None", "throughput": 1000000 }
            }
            """).Value!;
        Assert.Equal(1.00 + (2 * 4.95) + 10.22, RunEstimate.ChargeOf(spec), 6);
        var estimate = RunEstimate.From(spec);
        Assert.Equal((2_112, 495), (Math.Round(estimate.RequestUnits, 6), Math.Round(estimate.PreloadRequestUnits, 6)));
        // A rate is of actions: 100 of them at 8 a second.
        Assert.Equal(12.5, estimate.Seconds!.Value, 2);
        Assert.Equal((100, 200), (spec.PreloadOf(), spec.RiseOf()));
    }

    /// <summary>More than a billion documents: 60 billion inserts of 7.05 RU.</summary>
    [Fact]
    public void From_SixtyBillionDocuments_CountsTheirRequestUnits()
    {
        var spec = RunSpecReader.Read("""{"documents":60000000000,"workers":1000}""").Value!;
        Assert.Equal(423e9, RunEstimate.From(spec).RequestUnits);
        Assert.Equal(60_000_000_000, Slices.Cut(spec.Documents, spec.Workers, unit: 1).Sum(slice => slice.Count));
    }

    /// <summary>Charges of a public measurement of 2020, rounded to 1 RU: a key, and one text of 1,000 to 400,000 characters.</summary>
    [Theory]
    [InlineData(1_000, 7)]
    [InlineData(5_000, 8)]
    [InlineData(10_000, 10)]
    [InlineData(50_000, 24)]
    [InlineData(100_000, 49)]
    [InlineData(200_000, 99)]
    [InlineData(400_000, 186)]
    public void ChargeOf_OneTextOfAnySize_IsAsMeasured(int characters, double requestUnits)
    {
        // A placeholder has at most 10,000 characters.
        var parts = Enumerable.Repeat("{{random:text:10000}}", characters / 10_000).Append($"{{{{random:text:{characters % 10_000}}}}}");
        var text = string.Concat(characters % 10_000 == 0 ? parts.SkipLast(1) : parts);
        var onlyKey = new ContainerSpec { PartitionKeyPath = "/payloadId", ExcludedPaths = ["/payload/?"] };
        var template = new JsonObject { ["id"] = "{{id}}", ["payloadId"] = "{{key}}", ["payload"] = text };
        Assert.Equal(requestUnits, Math.Round(ChargeOf(template, onlyKey)));
    }

    /// <summary>Charges of a public training lab: 48.38 RU with all values indexed, 8.38 with two, 7.05 with none.</summary>
    [Theory]
    [InlineData(IndexingMode.Consistent, "", "", 48.38, 0.01)]
    [InlineData(IndexingMode.Consistent, "/sku/? /description/? /price/? /tags/* /categoryId/?", "", 8.38, 0.05)]
    [InlineData(IndexingMode.Consistent, "/*", "/categoryName/? /name/?", 8.38, 0.05)]
    [InlineData(IndexingMode.None, "", "", 7.05, 0.01)]
    public void ChargeOf_ProductWithManyTags_IsNearTheMeasured(
        IndexingMode mode, string excluded, string included, double requestUnits, double error)
    {
        // As many as make the 217 entries of the lab's own document.
        const int DistinctTags = 47;
        var tags = new JsonArray();
        for (var i = 0; i < 75; i++)
            tags.Add(new JsonObject { ["id"] = "{{guid}}", ["name"] = $"tag-{i % DistinctTags:000}" });
        var template = new JsonObject
        {
            ["id"] = "{{id}}", ["categoryId"] = "{{guid}}", ["categoryName"] = "{{random:text:19}}", ["sku"] = "SE-{{random:text:4}}",
            ["name"] = "{{random:text:19}}", ["description"] = "{{random:text:1607}}", ["price"] = "{{random:number:5:300}}",
            ["tags"] = tags,
        };
        var charge = ChargeOf(template, new ContainerSpec
        {
            PartitionKeyPath = "/categoryId", Indexing = mode, ExcludedPaths = PathsIn(excluded), IncludedPaths = PathsIn(included),
        });
        Assert.InRange(charge, requestUnits * (1 - error), requestUnits * (1 + error));
    }

    /// <summary>A read of 1 RU, two rows of 104/21 RU, and 4/21 for each entry: two of the change's time, and two of the value.</summary>
    [Theory]
    [InlineData("", "", 1 + 10.67)]
    [InlineData("/*", "", 1 + 10.29)]
    [InlineData("/*", "/KeyNumber/?", 1 + 10.29)]
    public void ChargeOf_Replace_IsThatOfAReadAndAReplace(string excluded, string included, double requestUnits)
    {
        var container = new ContainerSpec { ExcludedPaths = PathsIn(excluded), IncludedPaths = PathsIn(included) };
        var spec = new RunSpec { Container = container, Workload = new() { Kind = WorkloadKind.Replace } };
        Assert.Equal(requestUnits, RunEstimate.ChargeOf(spec), tolerance: 0.011);
    }

    /// <summary>Which elements of an array are equal is known only of a written document.</summary>
    [Theory]
    [InlineData("""{"a":"x"}""", "", false)]
    [InlineData("""{"a":["{{random:int:1:9}}"]}""", "", true)]
    [InlineData("""{"o":{"a":[{"b":1}]}}""", "", true)]
    [InlineData("""{"a":[1]}""", "/a/*", false)]
    public void AssumesEntries_ArraysInTheIndex_AreAssumed(string template, string excluded, bool expected) => Assert.Equal(
        expected,
        RunEstimate.AssumesEntries(new RunSpec
        {
            Document = new DocumentSpec { Kind = DocumentKind.Template, Template = template },
            Container = new ContainerSpec { ExcludedPaths = PathsIn(excluded) },
        }));

    /// <summary>An estimate asks once for each worker, and a template takes long to compile.</summary>
    [Fact]
    public void From_TemplateOfManyWorkers_IsCompiledOnce()
    {
        var document = new DocumentSpec { Kind = DocumentKind.Template, Template = """{"id":"n{{number}}"}""" };
        Assert.Same(DocumentShape.From(document), DocumentShape.From(document));
    }

    [Fact]
    public void From_DefaultRun_IsBoundByRequestUnits() =>
        Assert.Equal(7_050_000 / 60_000.0, RunEstimate.From(new RunSpec(), RunTarget.SimulatedAccount).Seconds!.Value, 3);

    [Theory]
    [InlineData(ConnectionMode.Gateway, 20, null, 250_000 / (20 / 0.0073))]
    [InlineData(ConnectionMode.Gateway, 200, null, 250_000 / (50 / 0.0073))]
    [InlineData(ConnectionMode.Gateway, 200, 100, 250_000 / (100 / 0.0073))]
    [InlineData(ConnectionMode.Direct, 200, null, 250_000 / (200 / 0.0053))]
    public void From_LatencyKnown_IsBoundByOperationsInFlight(ConnectionMode mode, int concurrency, int? maxConnections, double seconds)
    {
        var spec = new RunSpec
        {
            Container = Unlimited,
            Client = new ClientSpec { ConnectionMode = mode, Concurrency = concurrency, MaxConnections = maxConnections },
        };

        Assert.Equal(seconds, RunEstimate.From(spec, RunTarget.SimulatedAccount).Seconds!.Value, 3);
    }

    [Fact]
    public void From_BatchesAndBulk_HaveManyDocumentsInFlight()
    {
        var batch = new RunSpec
        {
            Container = Unlimited, Documents = 4_000_000, Client = new() { Concurrency = 2 },
            Workload = new() { Kind = WorkloadKind.Batch },
            Simulation = new() { Latency = LatencyProfile.SameRegion with { PerKilobyteMs = 0 } },
        };
        var bulk = batch with { Workload = new WorkloadSpec { Kind = WorkloadKind.Bulk }, Client = new ClientSpec { Concurrency = 200 } };

        // Each further document of a request takes 1 ms: 99 in a batch of 100. In bulk 200 in flight to 32 partitions fill no request, so
        // the SDK's timers decide: of 64 next operations 33 meet a timer that fires with the last one, and 31 one 50 ms later.
        Assert.Equal(1_000_000 / (200 / 0.1043), RunEstimate.From(batch, RunTarget.SimulatedAccount).Seconds!.Value, 3);
        Assert.Equal(1_000_000 / (200 / 0.0757813), RunEstimate.From(bulk, RunTarget.SimulatedAccount).Seconds!.Value, 3);
    }

    /// <summary>
    /// The timer of a full period decides on one partition. On many partitions half of the operations wait half a period, at least until
    /// the response is there. A bulk request that is full waits for no timer.
    /// </summary>
    [Theory]
    [InlineData(1, 6, 0, 1_000 * 0.1 / 6)]
    [InlineData(3, 6, 0, 1_000 * ((2 / 3.0 * 0.1) + (1 / 3.0 * 0.05)) / 6)]
    [InlineData(3, 6, 60, 1_000 * ((2 / 3.0 * 0.1) + (1 / 3.0 * 0.15)) / 6)]
    [InlineData(1, 6, 150, 1_000 * 0.2 / 6)]
    [InlineData(3, 300, 0, 1_000 * 0.0053 / 300)]
    public void From_BulkWithFewInFlight_WaitsForTheTimer(int partitions, int concurrency, double thinkMs, double seconds)
    {
        var spec = new RunSpec
        {
            Container = Unlimited, Documents = 1_000, Workers = 1, Client = new() { Concurrency = concurrency },
            Workload = new() { Kind = WorkloadKind.Bulk, ThinkTime = TimeSpan.FromMilliseconds(thinkMs) },
            Simulation = new()
            {
                PhysicalPartitions = partitions, Latency = LatencyProfile.SameRegion with { PerKilobyteMs = 0, PerBatchOperationMs = 0 },
            },
        };
        Assert.Equal(seconds, RunEstimate.From(spec, RunTarget.SimulatedAccount).Seconds!.Value, 3);
    }

    [Fact]
    public void From_OneSlowWorker_TakesAsLongAsThatOne()
    {
        var spec = new RunSpec { WorkerOverrides = [new WorkerOverride { Workers = [3], Client = new ClientSpec { Rate = 100 } }] };
        Assert.Equal(2_500, RunEstimate.From(spec).Seconds);
    }

    [Fact]
    public void From_NoLimitKnown_HasNoDuration()
    {
        var spec = new RunSpec { Container = new ContainerSpec { Name = "existing" } };
        Assert.Null(RunEstimate.From(spec).Seconds);
        Assert.Null(RunEstimate.From(spec with { Simulation = new SimulationSpec { Latency = LatencyProfile.None } }).Seconds);
        Assert.NotNull(RunEstimate.From(spec with { Simulation = new SimulationSpec() }).Seconds);
    }

    [Fact]
    public void From_AnyValidSpec_IsPositive() => Properties.Holds(Prop.ForAll(SpecGenerators.ValidSpecs, spec =>
    {
        var estimate = RunEstimate.From(spec);
        var charges = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        // Tables have no request units.
        var least = spec.Workload.Kind.UsesTables() ? 0 : spec.Workload.Kind == WorkloadKind.Query ? charges.Query.OfPage(0)
            : (spec.Workload.Kind is WorkloadKind.Read or WorkloadKind.Mix ? charges.Read(0) : charges.Create(0, 0)).Rounded().Value;
        return estimate.RequestUnits >= least * spec.Documents - 0.01 && estimate.Seconds is null or > 0
            && double.IsFinite(estimate.Seconds ?? 0);
    }));

    private static double ChargeOf(JsonObject template, ContainerSpec container) => RunEstimate.ChargeOf(new RunSpec
    {
        Document = new DocumentSpec { Kind = DocumentKind.Template, Template = template.ToJsonString() }, Container = container,
    });

    private static string[] PathsIn(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
