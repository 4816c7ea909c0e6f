namespace ScaleOut.Tests.Analysis.Experiments.Planning;

public sealed class GridPlannerTests
{
    private const int Variants = 6;
    private const int Repeats = 40;

    [Theory]
    [InlineData(true, "v01-r01 v02-r01 v03-r01 v01-r02 v02-r02 v03-r02")]
    [InlineData(false, "v01-r01 v01-r02 v02-r01 v02-r02 v03-r01 v03-r02")]
    public void From_Interleaved_GoesRoundOrKeepsRepeatsTogether(bool interleaved, string ids) => Assert.Equal(
        ids.Split(' ').Select(id => "sample-" + id),
        new GridPlanner(ExperimentSample.From(3, 2, interleaved)).All.Select(run => run.Spec.Id));

    [Fact]
    public void From_EachRun_IsTheVariantsPlanWithASeedOfItsRepeat()
    {
        var runs = new GridPlanner(ExperimentSample.From(2, 2)).All;
        Assert.Equal([(1, 7), (2, 7), (1, 8), (2, 8)], runs.Select(run => (run.Spec.Client.Concurrency!.Value, run.Spec.Seed)));
        Assert.Equal("variant B, repeat 2 of 2: A sample", runs[3].Spec.Name);
        Assert.All(runs, run => Assert.Empty(RunSpecReader.Check(run.Spec).Errors));
    }

    [Fact]
    public void From_LongestIdAndName_MakesValidRuns()
    {
        var spec = ExperimentSample.From(20, 50) with { Id = new string('a', 30), Name = string.Concat(Enumerable.Repeat("😀", 100)) };
        var runs = new GridPlanner(spec).All;

        Assert.Equal(1_000, runs.Select(run => run.Spec.Id).Distinct().Count());
        Assert.All(runs, run => Assert.Matches(new Regex("^[a-z0-9][a-z0-9-]{0,39}$"), run.Spec.Id!));
        Assert.Empty(RunSpecReader.Check(runs[^1].Spec).Errors);
        Assert.Equal(40, ExperimentIds.OfRun(new string('a', 30), 99, 100).Length);
    }

    /// <summary>A run that was claimed under this name is the same only if it has it again.</summary>
    [Fact]
    public void From_NameThatIsTooLong_IsItsBeginning()
    {
        var spec = ExperimentSample.From(2, 2) with { Name = new string('n', RunSpec.MaxNameLength) };
        const string Lead = "variant B, repeat 2 of 2: ";

        Assert.Equal(Lead + new string('n', RunSpec.MaxNameLength - Lead.Length), new GridPlanner(spec).All[3].Spec.Name);
    }

    [Fact]
    public void From_NoId_IsRejected() =>
        Assert.Throws<ArgumentException>(() => new GridPlanner(ExperimentSample.From(1, 1) with { Id = null }));

    [Theory]
    [InlineData(1_000_000, 0.01, 10_000)]
    [InlineData(1_000, 0.0001, 3)]
    [InlineData(2, 0.5, 3)]
    public void Apply_Scale_ShrinksDocumentsDownToOnePerWorker(long documents, double scale, long expected)
    {
        var run = new RunSpec
        {
            Documents = Math.Max(3, documents), Workers = 3, LegDuration = TimeSpan.FromSeconds(30), Warmup = TimeSpan.FromSeconds(3),
        };
        var scaled = ExperimentScale.Apply(run, scale);

        Assert.Equal(expected, scaled.Documents);
        Assert.Equal((run.Warmup, run.LegDuration), (scaled.Warmup, scaled.LegDuration));
        Assert.Empty(RunSpecReader.Check(scaled).Errors);
    }

    [Fact]
    public void Apply_Steps_ShrinksThemAndTheWarmupBeforeThem()
    {
        var step = new StepSpec { Users = 2, Duration = TimeSpan.FromMinutes(1) };
        var run = new RunSpec { Warmup = TimeSpan.FromSeconds(3), Workload = new() { Steps = [step, step] } };
        var scaled = ExperimentScale.Apply(run, 0.1);
        Assert.All(scaled.Workload.Steps!, one => Assert.Equal(TimeSpan.FromSeconds(6), one.Duration));
        Assert.Equal(TimeSpan.FromSeconds(0.3), scaled.Warmup);
    }

    [Fact]
    public void Apply_Batches_KeepsOneForEachWorker() => Assert.Equal(
        400, ExperimentScale.Apply(new RunSpec { Workers = 4, Workload = new() { Kind = WorkloadKind.Batch } }, 0.000_001).Documents);

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(1.5)]
    [InlineData(double.NaN)]
    public void Apply_NoScale_IsRejected(double scale) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => ExperimentScale.Apply(new RunSpec(), scale));

    [Fact]
    public void From_SpecThatWasRead_HasEveryVariantOnceInEachRoundInAnOrderOfItsOwn()
    {
        var rounds = new GridPlanner(Read("order")).All.Chunk(Variants).Select(round => round.Select(run => run.Variant).ToList()).ToList();
        Assert.All(rounds, round => Assert.Equal(Enumerable.Range(0, Variants), round.Order()));
        Assert.True(rounds.Select(round => string.Join(' ', round)).Distinct().Count() > Repeats / 2);
        // Each variant comes first in about 1 of 6 rounds; a fixed order has one of them first in all.
        Assert.All(Enumerable.Range(0, Variants), variant => Assert.InRange(rounds.Count(round => round[0] == variant), 1, Repeats / 2));
    }

    [Theory]
    [InlineData("order", "", true)]
    [InlineData("other", "", false)]
    [InlineData("order", "\"seed\": 2,", false)]
    public void From_IdAndSeed_DecideTheOrder(string id, string fields, bool same) => Assert.Equal(
        same,
        new GridPlanner(Read("order")).All.Select(run => run.Variant)
            .SequenceEqual(new GridPlanner(Read(id, fields)).All.Select(run => run.Variant)));

    /// <summary>What a run carries over to the next one must not meet one variant more often than the other.</summary>
    [Theory]
    [InlineData(2, 3)]
    [InlineData(2, 5)]
    [InlineData(2, 10)]
    [InlineData(3, 9)]
    [InlineData(4, 16)]
    public void From_Rounds_FollowEachOtherEquallyOften(int variants, int rounds)
    {
        foreach (var seed in Enumerable.Range(0, 50))
        {
            var order = RoundOrder.From(variants, rounds, (ulong)seed).SelectMany(round => round).ToList();
            var afterSecond = order.Skip(1).Zip(order, (run, before) => (run, before)).Where(pair => pair.before == 1)
                .CountBy(pair => pair.run).ToDictionary();
            var counts = Enumerable.Range(0, variants).Select(variant => afterSecond.GetValueOrDefault(variant)).ToList();
            Assert.True(counts.Max() - counts.Min() <= (variants == 2 ? 1 : 3), $"seed {seed}: {string.Join(' ', counts)}");
        }
    }

    /// <summary>Of three variants, two can be run on a machine: these go A-B, B-A, whatever the place of the third one.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Without_VariantThatIsNotRun_TheOthersFollowEachOtherEquallyOften(int notRun)
    {
        foreach (var seed in Enumerable.Range(0, 50))
        {
            var spec = ExperimentSample.From(3, 9) with { Seed = seed };
            var all = new GridPlanner(spec).Without([notRun]).All!;
            Assert.Equal(new GridPlanner(spec).All.Select(run => run.Spec.Id).Order(), all.Select(run => run.Spec.Id).Order());
            var order = all.Select(run => run.Variant).Where(variant => variant != notRun).ToList();
            Assert.Equal(8, order.Skip(1).Zip(order, (run, before) => run == before).Count(same => same));
        }
    }

    [Fact]
    public void From_NotInterleaved_KeepsTheSpecsOrder()
    {
        var runs = new GridPlanner(Read("order", "\"interleaved\": false,")).All;
        Assert.Equal(
            Enumerable.Range(0, Variants).SelectMany(variant => Enumerable.Repeat(variant, Repeats)), runs.Select(run => run.Variant));
    }

    private static ExperimentSpec Read(string id, string fields = "")
    {
        var variants = string.Join(
            ", ",
            Enumerable.Range(1, Variants).Select(n => $$"""{"name": "v{{n}}", "change": {"client": {"concurrency": {{n}}} } }"""));
        var reading = ExperimentSpecReader.Read($$"""{"id": "{{id}}", {{fields}} "repeats": {{Repeats}}, "variants": [{{variants}}] }""");
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }
}
