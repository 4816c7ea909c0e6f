namespace ScaleOut.Tests.EndToEnd.SpecFiles;

/// <summary>
/// Small runs of the repository's spec files: each file as it is, and two rows of a published table. The tests require the comparison with
/// the published rates, but not its agreement, which is for the report to say.
/// </summary>
public sealed class PublishedPlansTests(AzuriteFixture azurite)
{
    [Theory(Explicit = true)]
    [MemberData(nameof(PlansTests.ExperimentFiles), MemberType = typeof(PlansTests))]
    [Trait("Duration", "Long")]
    public async Task Run_SpecFileOfTheRepository_MeasuresEveryVariantAndJudgesEveryFinding(string file)
    {
        var spec = Read(file) with { Repeats = 1, Scale = 0.0003 };
        var kinds = spec.Variants.Select((_, variant) => GridPlanner.PlanOf(spec, variant).Workload.Kind);
        var tables = kinds.Any(kind => kind.UsesTables()) ? TableAccount.Parse((await azurite.NewAccountAsync()).ConnectionString!) : null;
        using var experiment = new InProcessExperiment(atOnce: 6, tables);

        var report = await experiment.RunAsync(spec);

        Assert.All(report.Variants, variant => Assert.True(
            variant.Runs[0].State == RunState.Complete, $"{variant.Name}: {variant.Runs[0].State}: {variant.Runs[0].Reason}"));
        Assert.Equal(ExperimentState.Complete, report.State);
        Assert.Equal(spec.Findings.Count, report.Findings.Count);
        Assert.All(report.Variants, variant => Assert.NotNull(variant.Rate));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_RowsOfABulkLadder_AreComparedWithThePublishedOnes()
    {
        using var experiment = new InProcessExperiment(atOnce: 2);
        var spec = Read("ru-ladder.json");
        List<VariantSpec> rows = [.. spec.Variants.Where(variant => variant.Name is "10,000 RU/s" or "25,000 RU/s")];

        var published = (await experiment.RunAsync(spec with { Repeats = 1, Scale = 0.03, Variants = rows, Findings = [] })).Published!;

        var pair = Assert.Single(published.Pairs);
        Assert.Equal(("25,000 RU/s", "10,000 RU/s", 2.118), (pair.Faster, pair.Slower, pair.Published));
        Assert.True(pair.Measured > 0, $"{pair}");
        Assert.True(pair.Verdict is PairVerdict.Undecided or PairVerdict.NotTestable, $"{pair}");
        Assert.Contains("container.throughput (25000, 10000)", pair.Differences);
        Assert.All(published.Rows, row => Assert.True(row.Measured is not null && row.Ratio > 0, $"{row}"));
    }

    /// <summary>Reads a spec file of the repository.</summary>
    internal static ExperimentSpec Read(string file)
    {
        var reading = ExperimentSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, file)), RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value! with { Id = "published" };
    }
}
