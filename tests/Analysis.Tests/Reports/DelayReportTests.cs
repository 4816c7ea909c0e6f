namespace ScaleOut.Tests.Analysis.Reports;

public sealed class DelayReportTests
{
    private const string Warning =
        "Latencies and rates are the machine's, and the run counts for no finding, because the machine was too busy: the simulated "
            + "account's responses came late (2.0% of them by more than 1 ms and 10%).";

    private static readonly LatencySummary None = new() { P50 = 4, P99 = 9, Max = 12 };

    [Fact]
    public void Build_DelaysSlipped_WarnsAndCountsForNoFinding()
    {
        var report = Build(slipped: 20);
        Assert.Equal((true, 0.02), (report.Delays!.HaveSlipped, report.Delays.SlippedShare));
        Assert.Contains(Warning, report.Warnings);
        var figures = RunFigures.From(report);
        Assert.Equal((true, true, false), (figures.IsUsable, figures.DelaysSlipped, figures.CountsForFindings));
    }

    [Theory]
    [InlineData(20, 10)]
    [InlineData(10, 10.1)]
    [InlineData(0, 10.1)]
    public void Build_FewSlippedOrThePercentileIsAsConfigured_CountsForFindings(int slipped, double deliveredP99)
    {
        var report = Build(slipped, deliveredP99);
        Assert.False(report.Delays!.HaveSlipped);
        Assert.True(RunFigures.From(report).CountsForFindings);
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains(DelayReport.CameLate, StringComparison.Ordinal));
    }

    [Fact]
    public void Build_DelaysNotMeasured_CountsForFindings()
    {
        var report = new RunSample().Build();
        Assert.Null(report.Delays);
        Assert.True(RunFigures.From(report).CountsForFindings);
    }

    [Theory]
    [InlineData(true, 0.97, 1)]
    [InlineData(true, 0.5, 0)]
    [InlineData(false, 0.97, 0)]
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
            Assert.Contains("its cores were 97% busy", Assert.Single(report.Invalid).Why, StringComparison.Ordinal);
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
                return Task.FromResult<DeliveredDelays?>(Delays(slipped: 20, 10.1));
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
        Assert.Equal(slipped, Build(slipped: 500, deliveredP99: 9, medianSlip).Delays!.HaveSlipped);

    private static RunReport Build(int slipped, double deliveredP99 = 10.1, double medianSlip = 0)
    {
        var sample = new RunSample();
        return RunReportBuilder.Build(sample.Ending() with { Delays = Delays(slipped, deliveredP99, medianSlip) }, sample.AllLegs());
    }

    private static DeliveredDelays Delays(int slipped, double deliveredP99, double medianSlip = 0) => new()
    {
        Responses = 1_000, Slipped = slipped, Configured = None, Delivered = None with { P99 = deliveredP99 },
        Slip = new LatencySummary { P50 = medianSlip, P99 = deliveredP99 - 9, Max = deliveredP99 - 9 },
    };
}
