namespace ScaleOut.Tests.Analysis.Reports.Building;

/// <summary>What a report says about each second, and about the users of the machine.</summary>
public sealed class SeriesPointsTests
{
    private static readonly RunEnding Ending = new()
    {
        Spec = new RunSpec { Id = "test", Workers = 2, Documents = 200, Warmup = TimeSpan.Zero }, StartedAt = Legs.Zero,
        FinishedAt = Legs.Zero.AddSeconds(10),
    };

    [Fact]
    public void Build_SecondsOfSeveralWorkers_HaveTheirPercentilesOfAllOperationsTogether()
    {
        var report = Build(
            Leg(0, second => second with { Latency = PackedHistogram.From(LatencyHistogram.Coarse().With((90, 4))) }),
            Leg(1, second => second with { Latency = PackedHistogram.From(LatencyHistogram.Coarse().With((10, 100))) }));

        Assert.All(report.Series, point =>
        {
            Assert.InRange(point.LatencyMs!.P50, 3.7, 4.3);
            Assert.InRange(point.LatencyMs.P95, 93, 107);
            Assert.InRange(point.LatencyMs.P99, 93, 107);
        });
    }

    [Fact]
    public void Build_ErrorsInSomeSeconds_AreCountedThereAndHaveATable()
    {
        var report = Build(
            Leg(0, second => second.Second == 1_003
                ? second with { Errors = Errors(2), Counts = second.Counts with { Throttled = 5 } }
                : second),
            Leg(1, second => second.Second is 1_003 or 1_008 ? second with { Errors = Errors(1) } : second));
        var table = RunTables.Errors(report);

        Assert.Equal(
            [(1_003L, 3L), (1_008L, 1L)], report.Series.Where(point => point.Errors is not null)
                .Select(point => (point.Second.ToUnixTimeSeconds(), point.Errors!["503/20006"])));
        Assert.Equal(["Status", "Attempts", "First", "Last", "0:00 to 0:02"], table.Columns.Take(5).Select(column => column.Title));
        Assert.Equal(["429", "5", "0:03", "0:03", "0", "5"], table.Rows[0].Take(6));
        Assert.Equal(["503/20006", "4", "0:03", "0:08", "0", "3", "0", "0", "1"], table.Rows[1]);
    }

    [Fact]
    public void Build_AttemptsWithoutAResponse_AreNamedInTheTable()
    {
        var without = new Dictionary<string, long> { ["0"] = 2 };
        var table = RunTables.Errors(Build(Leg(0, second => second.Second == 1_003 ? second with { Errors = without } : second)));

        Assert.Equal(["without a response", "2", "0:03", "0:03"], Assert.Single(table.Rows).Take(4));
    }

    [Fact]
    public void Build_Workers_HaveTheirStartAndEnd()
    {
        var report = Build(Leg(0, second => second), Leg(1, second => second) with { StartedAt = Legs.Zero.AddSeconds(2) });
        Assert.Equal(
            [(Legs.Zero, Legs.Zero.AddSeconds(10)), (Legs.Zero.AddSeconds(2), Legs.Zero.AddSeconds(10))],
            report.Workers.Select(worker => (worker.StartedAt!.Value, worker.EndedAt!.Value)));
    }

    /// <summary>Two workers with 0.4 and 0.8 CPU seconds a second, an account with 1, on 4 cores that were 95% busy.</summary>
    [Fact]
    public void Build_BusyMachine_SaysWhoUsedIt()
    {
        var delays = new DeliveredDelays
        {
            Responses = 1_000, Slipped = 0, Configured = Quantiles(4), Delivered = Quantiles(4), Slip = Quantiles(0),
            CpuSeconds = 10, Seconds = 10,
        };
        var legs = new[] { Leg(0, Busy(0.4)), Leg(1, Busy(0.8)) };
        var used = Build(Ending with { Delays = delays, Spec = Ending.Spec with { Simulation = new() } }, legs).Utilization!;

        Assert.Equal((0.95, 0.3, 0.25, 0.4), (used.Machine, used.MachineByWorkers, used.MachineByAccount, used.MachineByOthers));
        Assert.Equal((0.3, null, 0.65), Others(Build(legs)));
        Assert.Equal((0.3, null, null), Others(Build(Ending with { Spec = Ending.Spec with { Simulation = new() } }, legs)));
        Assert.Equal((null, null, null), Others(Build(
            [.. legs.Select(leg => leg with { Machine = leg.Machine with { MachineCores = null } })])));
    }

    [Fact]
    public void CoarseHistogram_ReadBack_HasTheSamePercentilesWithinASixteenth()
    {
        var histogram = LatencyHistogram.Coarse().With([.. Enumerable.Range(1, 1_000).Select(ms => (1, (double)ms))]);
        var read = JsonSerializer.Deserialize<LatencyHistogram>(
            JsonSerializer.Serialize(histogram, ScaleOutJson.Compact), ScaleOutJson.Compact)!;

        foreach (var percent in new[] { 1.0, 50, 95, 99 })
        {
            Assert.Equal(histogram.PercentileMs(percent), read.PercentileMs(percent));
            Assert.InRange(read.PercentileMs(percent)!.Value, percent * 10 * 15 / 16, percent * 10 * 17 / 16);
        }

        Assert.Throws<ArgumentException>(() => new LatencyHistogram().Add(read));
    }

    private static LatencySummary Quantiles(double ms) => new() { P50 = ms, P99 = ms, Max = ms };

    private static (double?, double?, double?) Others(RunReport report) =>
        (report.Utilization!.MachineByWorkers, report.Utilization.MachineByAccount, report.Utilization.MachineByOthers);

    private static Func<SecondSample, SecondSample> Busy(double cpuSeconds) =>
        second => second with { CpuSeconds = cpuSeconds, MachineCpuShare = 0.95 };

    private static LegResult Leg(int worker, Func<SecondSample, SecondSample> change)
    {
        var leg = Legs.Leg(worker, inserted: 100);
        IReadOnlyList<SecondSample> seconds = [.. Legs.Seconds(0, 10, inserted: 10).Select(change)];
        return leg.With(counts => counts with { Throttled = seconds.Sum(second => second.Counts.Throttled) }) with
        {
            Seconds = seconds,
            OtherErrors = seconds.SelectMany(second => second.Errors ?? new Dictionary<string, long>()).GroupBy(error => error.Key)
                .ToDictionary(group => group.Key, group => group.Sum(error => error.Value)),
            Machine = leg.Machine with { MachineCores = 4 },
        };
    }

    private static Dictionary<string, long> Errors(long count) => new() { ["503/20006"] = count };

    private static RunReport Build(params LegResult[] legs) => Build(Ending, legs);

    private static RunReport Build(RunEnding ending, params LegResult[] legs) =>
        RunReportBuilder.Build(ending, new RunLegs(legs, LostLegs: 0));
}
