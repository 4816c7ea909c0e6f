namespace ScaleOut.Tests.Analysis.Reports.Tables;

public sealed class LatencyTableTests
{
    private const string Caveat = "coordinated omission";

    [Fact]
    public void Latency_ClosedLoop_SaysWhatItsPercentilesLeaveOut() =>
        Assert.Contains(Caveat, ReportTables.Latency(new RunSample { Seconds = 20 }.Build()).Note, StringComparison.Ordinal);

    [Fact]
    public void Latency_EveryWorkerAtARate_NeedsNoCaveat()
    {
        var sample = new RunSample { Seconds = 20 };
        var open = (sample with { Spec = sample.Spec with { Client = new() { Rate = 50 } } }).Build();
        Assert.DoesNotContain(Caveat, ReportTables.Latency(open).Note, StringComparison.Ordinal);
    }

    [Fact]
    public void Latency_OneWorkerWithoutARate_HasTheCaveat()
    {
        var sample = new RunSample { Seconds = 20 };
        WorkerOverride[] atARate = [new() { Workers = [0, 1, 2], Client = new() { Rate = 50 } }];
        var mixed = (sample with { Spec = sample.Spec with { WorkerOverrides = atARate } }).Build();
        Assert.True(mixed.LatencyMs.ClosedLoop);
        Assert.Equal([false, false, false, true], mixed.Workers.Select(worker => worker.LatencyMs.ClosedLoop));
    }
}
