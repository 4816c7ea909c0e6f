using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Building;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Tests.Shared.Experiments;
using ScaleOut.Tests.Shared.Specs;
using ScaleOut.Tests.Support.Azurite;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Tests.Analysis.Experiments;

/// <summary>
/// The spec files of the repository, run small: each as it is, and of the published tables the one pair whose order budgets keep also
/// beside other tests. The whole tables are compared where nothing else runs, in <c>.ci/run</c>.
/// </summary>
public sealed class PublishedPlansTests(AzuriteFixture azurite)
{
    [Theory]
    [MemberData(nameof(PlansTests.ExperimentFiles), MemberType = typeof(PlansTests))]
    public async Task Run_SpecFileOfTheRepository_MeasuresEveryVariantAndJudgesEveryFinding(string file)
    {
        var spec = Read(file) with { Repeats = 1, Scale = 0.001 };
        var usesTables = spec.Variants.Select((_, variant) => ExperimentRuns.PlanOf(spec, variant).Workload.Kind).Any(
            kind => kind.UsesTables());
        var tables = usesTables ? TableAccount.Parse((await azurite.NewAccountAsync()).ConnectionString!) : null;
        using var experiment = new InProcessExperiment(atOnce: 6, tables);

        var report = await experiment.RunAsync(spec);

        Assert.All(
            report.Variants,
            variant =>
                Assert.True(
                    variant.Runs[0].State == RunState.Complete, $"{variant.Name}: {variant.Runs[0].State}: {variant.Runs[0].Reason}"));
        Assert.Equal(ExperimentState.Complete, report.State);
        Assert.Equal(spec.Findings.Count, report.Findings.Count);
        Assert.All(report.Variants, variant => Assert.NotNull(variant.Rate));
    }

    [Fact]
    public async Task Run_BulkLadderScaledDown_ComesInThePublishedOrder() =>
        AssertOrder(await RunAsync("ru-ladder.json", scale: 0.08, "10,000 RU/s", "25,000 RU/s"), pairs: 1);

    private static async Task<ExperimentReport> RunAsync(string file, double scale, params string[] variants)
    {
        using var experiment = new InProcessExperiment(atOnce: variants.Length);
        var spec = Read(file);
        return await experiment.RunAsync(
            spec with
            {
                Repeats = 1,
                Scale = scale,
                Variants = [.. spec.Variants.Where(variant => variants.Contains(variant.Name))],
                Findings = [],
            });
    }

    /// <summary>
    /// Other tests press the machine at the same time, so what bound a run is left aside; the runs of one experiment go on together and
    /// share that.
    /// </summary>
    private static void AssertOrder(ExperimentReport report, int pairs)
    {
        var published = report.Published!;
        var separated = published.Pairs.Where(pair => pair.Verdict != PairVerdict.Tie).ToList();
        Assert.Equal(pairs, separated.Count);
        Assert.All(separated, pair => Assert.True(pair.Expected >= PublishedOrder.SeparatedFactor, $"{pair}"));
        Assert.All(separated, pair => Assert.True(pair.Measured > 1, $"{pair}"));
        Assert.Equal(1, published.Spearman!.Value, precision: 9);
    }

    private static ExperimentSpec Read(string file)
    {
        var reading = ExperimentSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file)), RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Spec! with { Id = "small" };
    }
}
