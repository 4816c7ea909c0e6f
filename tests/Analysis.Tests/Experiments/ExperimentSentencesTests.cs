namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentSentencesTests
{
    [Fact]
    public void Result_AllVariantsKeepTheRateAskedFor_NamesWhatDiffers()
    {
        var result = ExperimentSentences.Result(At(rate: 80, ("direct", [80, 79.9], [11, 12]), ("far", [79.9, 80], [60, 66])));
        Assert.StartsWith(
            "Both variants keep the 80 inserts per second asked for; what differs is p99: 11 to 12 ms with direct, 60 to 66 ms with far, "
                + "5.48 x as long.",
            result[0], StringComparison.Ordinal);
        Assert.DoesNotContain("fastest", string.Join(' ', result), StringComparison.Ordinal);
    }

    [Fact]
    public void Result_LatenciesOverlap_ClaimsNoDifference()
    {
        var result = ExperimentSentences.Result(
            At(rate: 80, ("a", [80, 80], [11, 13]), ("b", [80, 80], [12, 14]), ("c", [80, 80], [12, 12])));
        Assert.Equal(
            "All 3 variants keep the 80 inserts per second asked for, and their p99 is not shown to differ: 11 to 14 ms.", result[0]);
    }

    [Fact]
    public void Result_OneVariantFallsBehindOrClosedLoops_NamesTheFastest()
    {
        var behind = At(rate: 80, ("a", [80, 80], [11, 13]), ("b", [70, 71], [12, 14]));
        var closed = At(rate: null, ("a", [80, 80], [11, 13]), ("b", [79, 80], [60, 66]));
        Assert.StartsWith("The fastest variant is a with 80 ", ExperimentSentences.Result(behind)[0], StringComparison.Ordinal);
        Assert.StartsWith("The fastest variant is a ", ExperimentSentences.Result(closed)[0], StringComparison.Ordinal);
    }

    /// <summary>Actions of several lists of steps are not the same thing.</summary>
    [Theory]
    [InlineData(WorkloadKind.Read, true)]
    [InlineData(WorkloadKind.Patch, false)]
    public void Result_VariantsOfActions_AreComparedOnlyIfTheyHaveTheSameSteps(WorkloadKind second, bool compared)
    {
        var report = At(rate: null, ("a", [80, 80], [11, 13]), ("b", [40, 40], [60, 66]));
        WorkloadKind[] steps = [WorkloadKind.Read, second];
        var actions = report with
        {
            Variants = [.. report.Variants.Zip(steps, (variant, step) => variant with
            {
                Plan = variant.Plan with { Workload = new() { Action = [WorkloadKind.Insert, step] } },
            })],
        };
        Assert.Equal(compared, ExperimentSentences.Result(actions)[0].Contains("x the slowest", StringComparison.Ordinal));
    }

    [Fact]
    public void Html_AllVariantsKeepTheRateAskedFor_BeginsWithTheirLatencies()
    {
        string FirstChart(double? rate)
        {
            var page = ExperimentForms.Kind.PageOf(At(rate, ("a", [80, 80], [11, 13]), ("b", [80, 79.9], [60, 66])));
            return XDocument.Parse(page.ToHtml()).Descendants("figure").First().Attribute("id")!.Value;
        }

        Assert.Equal(("chart-latency", "chart-rates"), (FirstChart(80), FirstChart(null)));
    }

    /// <summary>An experiment whose one worker has a target rate (null for a closed loop), with what each repeat achieved.</summary>
    private static ExperimentReport At(double? rate, params (string Name, double[] Rates, double[] P99)[] variants)
    {
        var report = MeasuredExperiment.From([.. variants.Select(one => (one.Name, 10, one.Rates, (double?)null))]);
        return report with
        {
            Variants = [.. report.Variants.Zip(variants, (variant, given) => variant with
            {
                Plan = variant.Plan with { Client = variant.Plan.Client with { Rate = rate } },
                Runs = [.. variant.Runs.Zip(
                    given.P99, (run, p99) => run with { OperationLatencyMs = run.OperationLatencyMs! with { P99 = p99 } })],
            })],
        };
    }
}
