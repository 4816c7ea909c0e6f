namespace ScaleOut.Tests.Analysis.Experiments;

/// <summary>
/// The spec files of the repository, run small: each as it is, and two rows of a published table. Tests ask that the comparison is made,
/// not that it agrees: that is for the report to say.
/// </summary>
public sealed class PublishedPlansTests(AzuriteFixture azurite)
{
    [Theory]
    [MemberData(nameof(PlansTests.ExperimentFiles), MemberType = typeof(PlansTests))]
    public async Task Run_SpecFileOfTheRepository_MeasuresEveryVariantAndJudgesEveryFinding(string file)
    {
        var spec = Read(file) with { Repeats = 1, Scale = 0.0003 };
        var usesTables = spec.Variants.Select((_, variant) => GridPlanner.PlanOf(spec, variant).Workload.Kind).Any(
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
    public async Task Run_RowsOfABulkLadder_AreComparedWithThePublishedOnes()
    {
        var published = (await RunAsync("ru-ladder.json", scale: 0.03, "10,000 RU/s", "25,000 RU/s")).Published!;

        var pair = Assert.Single(published.Pairs);
        Assert.Equal(("25,000 RU/s", "10,000 RU/s", 2.118), (pair.Faster, pair.Slower, pair.Published));
        Assert.True(pair.Measured > 0, $"{pair}");
        Assert.True(pair.Verdict is PairVerdict.Undecided or PairVerdict.NotTestable, $"{pair}");
        Assert.Contains("container.throughput (25000, 10000)", pair.Differences);
        Assert.All(published.Rows, row => Assert.True(row.Measured is not null && row.Ratio > 0, $"{row}"));
    }

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

    private static ExperimentSpec Read(string file)
    {
        var reading = ExperimentSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file)), RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value! with { Id = "small" };
    }
}
