using FsCheck.Fluent;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class RunEstimateTests
{
    private static readonly ContainerSpec Unlimited = new() { Throughput = 10_000_000 };

    [Theory]
    [InlineData("""{}""", 5.71)]
    [InlineData("""{"workload":{"kind":"batch"}}""", 5.71)]
    [InlineData("""{"workload":{"kind":"bulk"}}""", 5.71)]
    [InlineData("""{"container":{"indexing":"None"}}""", 4.95)]
    [InlineData("""{"container":{"indexing":"Lazy"}}""", 4.95)]
    [InlineData("""{"container":{"excludedPaths":["/*"]}}""", 4.95)]
    [InlineData("""{"container":{"excludedPaths":["/SomeText/?","/SomeText/*","/other/?"]}}""", 5.52)]
    [InlineData("""{"container":{"name":"existing"}}""", 5.71)]
    public void From_Spec_ChargesEachDocumentByItsIndex(string json, double perDocument)
    {
        var spec = RunSpecReader.Read(json).Spec!;

        Assert.Equal(perDocument * spec.Documents, RunEstimate.From(spec).RequestUnits, 1);
    }

    [Fact]
    public void From_DefaultRun_IsBoundByRequestUnits() =>
        Assert.Equal(5_710_000 / 60_000.0, RunEstimate.From(new RunSpec(), RunTarget.SimulatedAccount).Seconds!.Value, 3);

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
            Container = Unlimited, Workload = new WorkloadSpec { Kind = WorkloadKind.Batch }, Client = new ClientSpec { Concurrency = 2 },
            Documents = 4_000_000,
        };
        var bulk = batch with { Workload = new WorkloadSpec { Kind = WorkloadKind.Bulk }, Client = new ClientSpec { Concurrency = 200 } };

        Assert.Equal(1_000_000 / (200 / 0.0053), RunEstimate.From(batch, RunTarget.SimulatedAccount).Seconds!.Value, 3);
        Assert.Equal(1_000_000 / (200 / 0.0053), RunEstimate.From(bulk, RunTarget.SimulatedAccount).Seconds!.Value, 3);
    }

    [Fact]
    public void From_OneSlowWorker_TakesAsLongAsThatOne()
    {
        var spec = new RunSpec { WorkerOverrides = [new WorkerOverride { Workers = [3], Client = new ClientOverride { Rate = 100 } }] };

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
        // Tables have no request units.
        var least = spec.Workload.Kind.UsesTables() ? 0 : spec.Workload.Kind.LeavesCount() ? 1 : 4.95;
        return estimate.RequestUnits >= least * spec.Documents - 0.01 && estimate.Seconds is null or > 0
            && double.IsFinite(estimate.Seconds ?? 0);
    }));
}
