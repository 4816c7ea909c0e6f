using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class RunEstimateTests
{
    private static readonly ContainerSpec Unlimited = new() { Throughput = 10_000_000 };

    [Theory]
    [InlineData("""{}""", 5.75)]
    [InlineData("""{"workload":{"kind":"batch"}}""", 5.75)]
    [InlineData("""{"workload":{"kind":"bulk"}}""", 5.75)]
    [InlineData("""{"container":{"indexing":"None"}}""", 4.95)]
    [InlineData("""{"container":{"indexing":"Lazy"}}""", 4.95)]
    [InlineData("""{"container":{"excludedPaths":["/*"]}}""", 4.95)]
    [InlineData("""{"container":{"excludedPaths":["/SomeText/?","/SomeText/*","/other/?"]}}""", 5.55)]
    [InlineData("""{"container":{"name":"existing"}}""", 5.75)]
    public void From_Spec_ChargesEachDocumentByItsIndex(string json, double perDocument)
    {
        var spec = RunSpecReader.Read(json).Value!;
        Assert.Equal(perDocument * spec.Documents, RunEstimate.From(spec).RequestUnits, 1);
    }

    /// <summary>An estimate asks once for each worker, and a template takes long to compile.</summary>
    [Fact]
    public void From_TemplateOfManyWorkers_IsCompiledOnce()
    {
        var document = new DocumentSpec { Kind = DocumentKind.Template, Template = """{"id":"n{{number}}"}""" };
        Assert.Same(DocumentShape.From(document), DocumentShape.From(document));
    }

    [Fact]
    public void From_DefaultRun_IsBoundByRequestUnits() =>
        Assert.Equal(5_750_000 / 60_000.0, RunEstimate.From(new RunSpec(), RunTarget.SimulatedAccount).Seconds!.Value, 3);

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
        var least = spec.Workload.Kind.UsesTables() ? 0 : spec.Workload.Kind == WorkloadKind.Query ? charges.QueryPage(0)
            : spec.Workload.Kind is WorkloadKind.Read or WorkloadKind.Mix ? charges.Read(0) : charges.Create(0, 0);
        return estimate.RequestUnits >= least * spec.Documents - 0.01 && estimate.Seconds is null or > 0
            && double.IsFinite(estimate.Seconds ?? 0);
    }));
}
