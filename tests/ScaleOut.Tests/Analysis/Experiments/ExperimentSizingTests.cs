using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Analysis.Sizing;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentSizingTests
{
    [Fact]
    public void From_Experiment_SizesTheShownRatesByTheFastestVariant()
    {
        var report = MeasuredExperiment.From([("slow", 1, [500, 510], null), ("fast", 2, [1_000, 1_000], null)]);

        Assert.Equal(ExperimentSizing.ShownRates, report.Sizing.Select(result => result.Request.InsertsPerSecond));
        Assert.All(report.Sizing, result => Assert.Equal("variant fast", result.Source));
        Assert.Equal([1, null, null, null], report.Sizing.Select(result => result.Workers.Estimate));
        // 5.71 RU each with a tenth kept spare.
        Assert.Equal(63_500, report.Sizing[1].RequestUnitsPerSecond);
    }

    [Fact]
    public void Basis_NamedVariant_GoesByIt()
    {
        var report = MeasuredExperiment.From([("slow", 1, [500, 510], null), ("fast", 2, [1_000, 1_000], null)]);

        Assert.Equal("variant slow", ExperimentSizing.Basis(report, "slow").Basis!.Source);
        Assert.Equal("there is no variant 'none'; there are slow, fast", Assert.Single(ExperimentSizing.Basis(report, "none").Errors));
    }

    /// <summary>Variants that differ in their workers alone say how workers scale, whether a finding asks for it or not.</summary>
    [Fact]
    public void Basis_VariantsThatScaleOut_AreTakenTogether()
    {
        var report = MeasuredExperiment.From(
            [.. new[] { 1, 2, 3, 4, 6, 8 }.Select(n => ($"w{n}", 1, new[] { 1_000.0 * n, 1_010.0 * n }, (double?)null))]);
        report = report with
        {
            Variants =
            [
                .. report.Variants.Zip(
                    [1, 2, 3, 4, 6, 8], (variant, workers) => variant with { Plan = variant.Plan with { Workers = workers } }),
            ],
        };
        var basis = ExperimentSizing.Basis(report).Basis!;
        Assert.Equal(("the scalability law of 6 variants", 8), (basis.Source, basis.MostWorkers));
    }

    /// <summary>Where workers add less and less, what the largest fleet does by worker says too much of the others.</summary>
    [Theory]
    [InlineData(900, "variant w1", 1)]
    [InlineData(1_500, "variant w2", 2)]
    [InlineData(2_300, "variant w4", 4)]
    public void Size_VariantsThatScaleOutWithoutALaw_GoesByTheSmallestThatReachedTheRate(double rate, string source, int workers)
    {
        var report = MeasuredExperiment.From(
            [("w1", 1, [1_000, 1_001], null), ("w2", 1, [1_900, 1_901], null), ("w4", 1, [2_400, 2_401], null)]);
        report = report with
        {
            Variants =
            [
                .. report.Variants.Zip([1, 2, 4], (variant, count) => variant with { Plan = variant.Plan with { Workers = count } }),
            ],
        };

        var result = SizingCalculation.From(new() { InsertsPerSecond = rate }, ExperimentSizing.Basis(report).Basis!);

        Assert.Equal((source, workers), (result.Source, result.Workers.Estimate));
    }

    [Fact]
    public void Basis_NothingMeasured_SaysSo()
    {
        var report = MeasuredExperiment.From([("a", 1, [], null)]);

        Assert.Equal("no variant that writes documents was measured", Assert.Single(ExperimentSizing.Basis(report).Errors));
        Assert.Empty(report.Sizing);
    }
}
