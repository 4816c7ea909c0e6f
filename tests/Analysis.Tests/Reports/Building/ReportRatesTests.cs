using static ScaleOut.Tests.Support.Runs.BuiltReports;

namespace ScaleOut.Tests.Analysis.Reports.Building;

/// <summary>The rate of an open loop counts the operations that were due in its window, not those that it catches up there.</summary>
public sealed class ReportRatesTests
{
    /// <summary>
    /// Worker 0 does nothing in its warm-up of two seconds, and catches up in seconds 2 and 3. Worker 1 falls behind.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Build_OpenLoopThatCatchesUpAfterItsWarmup_ClaimsNoMoreThanWasDue(bool asSteps)
    {
        StepSpec Step(int seconds) => new() { Rate = 10, Duration = TimeSpan.FromSeconds(seconds) };
        var spec = asSteps ? Spec with { Workload = new() { Steps = [Step(2), Step(8)] } } : Spec with { Client = new() { Rate = 10 } };
        var caughtUp = Legs.Seconds(0, 10).Select((second, i) => second with { Counts = new() { Inserted = i < 2 ? 0 : i < 4 ? 20 : 10 } });
        var report = Build(
            Ending(verified: 190) with { Spec = spec }, Legs.Leg(0, inserted: 100) with { Seconds = [.. caughtUp] },
            Legs.Leg(1, inserted: 90) with { Seconds = Legs.Seconds(0, 10, inserted: 9) });

        Assert.Equal(8, report.Throughput.OverlapSeconds);
        Assert.Equal([10.0, 9.0], report.Workers.Select(worker => worker.Throughput.OverlapPerSecond!.Value));
        Assert.Equal(19, report.Throughput.OverlapPerSecond);
        Assert.Equal((20.0, 20L), (report.Throughput.AskedPerSecond, report.Throughput.CaughtUp));
        Assert.Equal((20L, 0L), (report.Workers[0].Throughput.CaughtUp, report.Workers[1].Throughput.CaughtUp));
    }

    [Fact]
    public void Build_ClosedLoopThatGetsFaster_CountsEverything()
    {
        var faster = Legs.Seconds(0, 10).Select((second, i) => second with { Counts = new() { Inserted = i < 2 ? 0 : 20 } });
        var report = Build(
            Ending(verified: 200), Legs.Leg(0, inserted: 160) with { Seconds = [.. faster] },
            Legs.Leg(1, inserted: 40) with { Seconds = Legs.Seconds(0, 10, inserted: 4) });
        Assert.Equal((24.0, 0L), (report.Throughput.OverlapPerSecond, report.Throughput.CaughtUp));
    }
}
