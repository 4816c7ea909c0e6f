using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Tests.Analysis.Reports;

namespace ScaleOut.Tests.Analysis.Sizing;

public sealed class SizingBasesTests
{
    private static RunFigures Figures(double rate, int workers) => new()
    {
        RunId = "r", State = RunState.Complete, Rate = rate, RequestUnitsPerOperation = 5.71, Workers = workers,
        DistinctInstances = workers, BoundBy = BoundBy.Latency, Simulated = true, RateIsOverlap = true, CoresPerWorker = 2,
    };

    private static VariantResult Variant(int workers, params double[] rates) =>
        new() { Name = $"w{workers}", Spec = new() { Workers = workers }, Repeats = [.. rates.Select(rate => Figures(rate, workers))] };

    [Fact]
    public void From_RunReport_TakesItsRateAndCharge()
    {
        var report = new RunSample().Build();
        var basis = SizingBases.From(report).Basis!;
        var rate = report.Throughput.OverlapPerSecond!.Value;
        Assert.Equal(rate / 4, basis.RatePerWorker, 6);
        Assert.Equal(5.71, basis.RequestUnitsPerInsert, 6);
        Assert.Equal((4, true, 155.0), (basis.MostWorkers, basis.Simulated, basis.DocumentBytes));
        // How its workers differ from each other does not say how one run differs from the next.
        Assert.Null(basis.RatePerWorker95);
        Assert.Single(basis.Notes);
    }

    [Fact]
    public void From_RunOfSteps_IsRejected()
    {
        var report = new RunSample().Build();
        var steps = report.Spec with
        {
            Workload = new() { Steps = [new StepSpec { Users = 1, Duration = TimeSpan.FromMinutes(1) }] },
        };
        Assert.Equal(
            ["run sample: its load went in steps, whose users would become one rate; size by a run with the same load throughout"],
            SizingBases.From(report with { Spec = steps }).Errors);
    }

    [Fact]
    public void From_RunWithoutOverlap_IsRejected()
    {
        var report = new RunSample().Build();
        Assert.Equal(
            ["run sample: all workers were at work together for under 5 seconds, so there is no rate to size by"],
            SizingBases.From(report with { Throughput = report.Throughput with { OverlapPerSecond = null } }).Errors);
    }

    [Fact]
    public void From_DelaysSlipped_IsRejectedAndLeftOutBesideOthers()
    {
        var variant = Variant(2, 1_000, 1_020, 10);
        VariantResult Slipped(Func<RunFigures, bool> which) => variant with
        {
            Repeats = [.. variant.Repeats.Select(figures => figures with { DelaysSlipped = which(figures) })],
        };

        Assert.Equal(
            "w2: the simulated account gave its responses later than its latency says, because the machine was too busy, so its rate says "
                + "nothing of an account",
            Assert.Single(SizingBases.From(Slipped(_ => true)).Errors));
        Assert.Equal(505, SizingBases.From(Slipped(figures => figures.Rate < 100)).Basis!.RatePerWorker, 0);
    }

    [Fact]
    public void From_RepeatedVariant_HasTheIntervalOfItsRepeats()
    {
        var basis = SizingBases.From(Variant(2, 1_000, 1_000 * Math.Exp(0.02), 1_000 * Math.Exp(-0.02))).Basis!;
        Assert.Equal(500, basis.RatePerWorker, 9);
        // 97.5% quantile of Student's t with 2 degrees of freedom: 4.302653. The next fleet scatters as each of the three
        // did, around a mean that three of them say.
        Assert.Equal(500 * Math.Exp(4.302653 * 0.02 * Math.Sqrt(1 + (1.0 / 3))), basis.RatePerWorker95!.Value.High, 4);
        Assert.Empty(basis.Notes);
    }

    [Fact]
    public void OfScaleOut_FiveNumbersOfWorkers_HasALaw()
    {
        var basis = SizingBases.OfScaleOut([.. new[] { 1, 2, 4, 8, 16 }.Select(n => Variant(n, 1_000 * n, 1_001 * n, 999 * n))]).Basis!;
        Assert.Equal("the scalability law of 5 variants", basis.Source);
        Assert.NotNull(basis.Scalability!.Law);
        Assert.Equal(16, basis.MostWorkers);
        Assert.Equal(16, SizingCalculation.From(new() { InsertsPerSecond = 15_500 }, basis).Workers.Estimate);
    }

    [Fact]
    public void OfScaleOut_TooFewForALaw_TakesTheLargestThatNothingElseBound()
    {
        var bound = Variant(8, 4_000, 4_010);
        var basis = SizingBases.OfScaleOut(
            [
                Variant(1, 1_000, 1_010),
                Variant(4, 3_900, 3_920),
                bound with { Repeats = [.. bound.Repeats.Select(figures => figures with { BoundBy = BoundBy.Machine })] },
            ]).Basis!;
        Assert.Equal("variant w4", basis.Source);
        Assert.Contains(
            "There is no scalability law: the fit needs 5 different numbers of workers, 2 can be used; left out: 8 (bound by the shared "
                + "machine).",
            basis.Notes);
        Assert.Equal(4_005, basis.HighestRate, 0);
    }

    [Fact]
    public void From_NothingToSizeBy_NamesEveryError()
    {
        var query = Variant(1, 100) with { Spec = new() { Workload = new() { Kind = WorkloadKind.Query } } };
        var reading = SizingBases.From(
            query with { Repeats = [.. query.Repeats.Select(figures => figures with { RequestUnitsPerOperation = null })] });
        Assert.Null(reading.Basis);
        Assert.Equal(
            ["w1: a workload of kind query says nothing about inserts", "w1: it was not measured what a document is charged"],
            reading.Errors);
        Assert.Equal(["w2: no run is complete with a rate above 0"], SizingBases.From(Variant(2)).Errors);
        Assert.Equal(["no variant has a complete run with a rate"], SizingBases.OfScaleOut([]).Errors);
    }
}
