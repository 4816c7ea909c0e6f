using static ScaleOut.Tests.Analysis.Reports.BuiltReports;

namespace ScaleOut.Tests.Analysis.Reports;

/// <summary>The rate of an open loop is what was due in its window, and not what it catches up there.</summary>
public sealed class OpenLoopRatesTests
{
    /// <summary>
    /// Worker 0 does nothing for its first two seconds, which are its warm-up, and catches up in seconds 2 and 3; worker 1 falls behind.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Build_OpenLoopThatCatchesUpAfterItsWarmup_ClaimsNoMoreThanWasDue(bool asSteps)
    {
        var ending = Ending(verified: 190);
        StepSpec Step(int seconds) => new() { Rate = 10, Duration = TimeSpan.FromSeconds(seconds) };
        ending = ending with
        {
            Spec = asSteps
                ? ending.Spec with { Workload = ending.Spec.Workload with { Steps = [Step(2), Step(8)] } }
                : ending.Spec with { Client = new() { Rate = 10 } },
        };
        var caughtUp = Legs.Seconds(0, 10)
            .Select((second, i) => second with { Counts = new() { Inserted = i < 2 ? 0 : i < 4 ? 20 : 10 } });
        var report = Build(
            ending, Legs.Leg(0, inserted: 100) with { Seconds = [.. caughtUp] },
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
