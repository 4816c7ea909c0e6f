namespace ScaleOut.Tests.Analysis.Reports;

public sealed class RunFiguresTests
{
    private static readonly RunFigures Plain = new()
    {
        RunId = "r",
        State = RunState.Complete,
        Rate = 1,
        Workers = 4,
        DistinctInstances = 4,
    };

    [Fact]
    public void From_Report_TakesWhatFindingsRestOn()
    {
        var report = new RunSample { ThrottledShare = 0.1 }.Build();
        var figures = RunFigures.From(report);
        Assert.Equal((report.Throughput.OverlapPerSecond, true, true), (figures.Rate, figures.RateIsOverlap, figures.IsUsable));
        Assert.Equal(
            (4, 1, 2, true, true),
            (figures.Workers, figures.DistinctInstances, figures.CoresPerWorker, figures.MachinesShared, figures.Simulated));
        Assert.Equal(report.Requests.Throttled / (double)report.Requests.Attempts, figures.ThrottledShare);
        Assert.Equal(
            (
                report.LatencyMs.Operation.P50, report.LatencyMs.Operation.P96, report.LatencyMs.Operation.P99,
                report.LatencyMs.Operation.Mean),
            (figures.P50LatencyMs, figures.P96LatencyMs, figures.P99LatencyMs, figures.MeanLatencyMs));
        Assert.Equal((5.71, report.BoundBy), (figures.RequestUnitsPerOperation, figures.BoundBy));
        Assert.Equal(2.5, RunFigures.From(report with { Requests = report.Requests with { CallsPerOperation = 2.5 } }).CallsPerOperation);
        Assert.Equal(false, RunFigures.From(report with { KeptIndexing = false }).KeptIndexing);
    }

    [Theory]
    [InlineData(true, false, true)]
    [InlineData(true, true, false)]
    [InlineData(false, false, false)]
    public void From_Report_KnowsThePhysicsOfAnAccountOfItsOwnOnly(bool simulated, bool isOwn, bool unknown)
    {
        var report = new RunSample { Simulated = simulated }.Build();
        report = report with { Spec = report.Spec with { Simulation = isOwn ? new SimulationSpec() : null } };
        Assert.Equal(unknown, RunFigures.From(report).HasUnknownPhysics);
    }

    [Fact]
    public void From_ReportWithoutOverlap_FallsBackToTheMakespan()
    {
        var report = new RunSample().Build();
        var figures = RunFigures.From(report with { Throughput = report.Throughput with { OverlapPerSecond = null } });
        Assert.Equal((report.Throughput.MakespanPerSecond, false), (figures.Rate, figures.RateIsOverlap));
    }

    [Theory]
    [InlineData(BoundBy.Machine, null, 4, true)]
    [InlineData(BoundBy.Client, 0.95, 1, true)]
    [InlineData(BoundBy.Client, 0.95, 4, false)]
    [InlineData(BoundBy.Client, 0.85, 1, false)]
    [InlineData(BoundBy.RequestUnits, 0.95, 1, false)]
    public void BoundByMachine_SharedMachineAtItsLimit_AlsoBehindAClientAtIts(BoundBy by, double? share, int instances, bool bound) =>
        Assert.Equal(bound, (Plain with { BoundBy = by, MachineShare = share, DistinctInstances = instances }).BoundByMachine);

    [Theory]
    [InlineData(RunState.Complete, 1.0, true)]
    [InlineData(RunState.Complete, 0.0, false)]
    [InlineData(RunState.Complete, null, false)]
    [InlineData(RunState.Stopped, 1.0, false)]
    [InlineData(RunState.Incomplete, 1.0, false)]
    public void IsUsable_AnyRun_IsTrueOnlyOfCompleteOnesWithARate(RunState state, double? rate, bool usable) =>
        Assert.Equal(usable, (Plain with { State = state, Rate = rate }).IsUsable);
}
