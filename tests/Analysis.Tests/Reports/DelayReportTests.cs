namespace ScaleOut.Tests.Analysis.Reports;

public sealed class DelayReportTests
{
    private const string Warning =
        "The rate and the share of 429s are this machine's and count for no finding about rates: the machine was too busy: the simulated "
            + "account's responses came late (2.0% of them by more than 1 ms and 10%).";

    /// <summary>As long as the attempts of the sample without the CPU of its workers.</summary>
    private static readonly LatencySummary None = new() { P50 = 7, P99 = 12, Max = 40 };

    [Fact]
    public void Build_DelaysSlipped_WarnsAndCountsForNoFinding()
    {
        var report = Build(slipped: 20);
        Assert.Equal((true, 0.02), (report.Delays!.HaveSlipped, report.Delays.SlippedShare));
        Assert.Contains(Warning, report.Warnings);
        var figures = RunFigures.From(report);
        Assert.Equal((true, true), (figures.IsUsable, figures.DelaysSlipped));
        Assert.Equal((MachineEffect.LateDelays, MachineEffect.LateDelays), (figures.RateSpoiledBy, figures.LatencySpoiledBy));
    }

    [Theory]
    [InlineData(20, 13.2)]
    [InlineData(10, 13.3)]
    [InlineData(0, 13.3)]
    public void Build_FewSlippedOrThePercentileIsAsConfigured_CountsForFindings(int slipped, double deliveredP99)
    {
        var report = Build(slipped, deliveredP99);
        Assert.False(report.Delays!.HaveSlipped);
        AssertValid(report);
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains(DelayReport.CameLate, StringComparison.Ordinal));
    }

    [Fact]
    public void Build_DelaysNotMeasured_CountsForFindings()
    {
        var report = new RunSample().Build();
        Assert.Null(report.Delays);
        AssertValid(report);
    }

    [Theory]
    [InlineData(true, 0.97, 1)]
    [InlineData(true, 0.5, 0)]
    [InlineData(false, 0.97, 1)]
    [InlineData(false, 0.5, 0)]
    public void Build_DelaysNotMeasured_LatenciesOfAFullMachineAreNotValid(bool simulated, double machine, int invalid)
    {
        var sample = new RunSample { Simulated = simulated };
        var legs = sample.AllLegs();
        var report = RunReportBuilder.Build(sample.Ending(), legs with
        {
            Results = [.. legs.Results.Select(leg => leg with
            {
                Seconds = [.. leg.Seconds.Select(second => second with { MachineCpuShare = machine })],
            })],
        });
        Assert.Equal(invalid, report.Invalid.Count(one => one.What == "latencies"));
        if (invalid > 0)
            Assert.Contains("its cores were 97% busy", report.Invalid[0].Why, StringComparison.Ordinal);
    }

    /// <summary>Late responses while the program started must not count, so the report asks for the seconds of its overlap.</summary>
    [Fact]
    public async Task Save_Run_AsksForTheDelaysOfItsOverlapWindow()
    {
        var sample = new RunSample();
        var store = new MemoryRunStore();
        await sample.WriteLegsAsync(new RunFiles(store, sample.Spec.Id!));
        NumberSet? asked = null;
        await ReportSaver.SaveAsync(
            store, sample.Ending(), TestContext.Current.CancellationToken, prices: null, seconds =>
            {
                asked = seconds;
                return Task.FromResult<DeliveredDelays?>(Delays(slipped: 20, 13.3));
            });

        var report = (await RunForms.Kind.ReadAsync(store, sample.Spec.Id!, TestContext.Current.CancellationToken))!;
        Assert.Equal(report.Throughput.OverlapSeconds, asked!.Count);
        Assert.False(asked.Contains(RunSample.Start.ToUnixTimeSeconds()));
        Assert.True(report.Delays!.HaveSlipped);
    }

    /// <summary>If half of all responses are late by more than 1 ms, closed loops are slower by as much, even with the same p99.</summary>
    [Theory]
    [InlineData(0.9, false)]
    [InlineData(1.1, true)]
    public void Build_HalfOfTheResponsesSlipped_CountsForNoFinding(double medianSlip, bool slipped) =>
        Assert.Equal(slipped, Build(slipped: 500, deliveredP99: 12, medianSlip).Delays!.HaveSlipped);

    private static void AssertValid(RunReport report)
    {
        var figures = RunFigures.From(report);
        Assert.Equal((true, null, null), (figures.IsUsable, figures.RateSpoiledBy, figures.LatencySpoiledBy));
        Assert.Empty(report.Invalid);
    }

    private static RunReport Build(int slipped, double deliveredP99 = 13.3, double medianSlip = 0)
    {
        var sample = new RunSample();
        return RunReportBuilder.Build(sample.Ending() with { Delays = Delays(slipped, deliveredP99, medianSlip) }, sample.AllLegs());
    }

    private static DeliveredDelays Delays(int slipped, double deliveredP99, double medianSlip = 0) => new()
    {
        Responses = 1_000, Slipped = slipped, Configured = None, Delivered = None with { P99 = deliveredP99 },
        Slip = new LatencySummary { P50 = medianSlip, P99 = deliveredP99 - 12, Max = deliveredP99 - 12 },
    };
}
