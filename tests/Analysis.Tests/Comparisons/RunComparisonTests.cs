using ScaleOut.Tests.Analysis.Experiments;

namespace ScaleOut.Tests.Analysis.Comparisons;

public sealed class RunComparisonTests
{
    private static readonly RunSample Sample = new() { Seconds = 60, Spec = new() { Id = "one", Documents = 60_000 } };

    [Fact]
    public void From_SameRunTwice_ShowsNoDifference()
    {
        var comparison = RunComparison.From(Sample.Build(), (Sample with { Spec = Sample.Spec with { Id = "two", Seed = 9 } }).Build());
        Assert.True(comparison.Rows[0].Verdict is ComparisonVerdict.Same or ComparisonVerdict.NoDifferenceShown);
        Assert.InRange(comparison.Rows[0].Ratio!.Value, 0.97, 1.03);
        Assert.Contains("stretches of", comparison.Rows[0].Basis, StringComparison.Ordinal);
        Assert.All(comparison.Rows.Skip(1), row => Assert.Equal(ComparisonVerdict.NotKnown, row.Verdict));
        Assert.Equal(["seed: 1, 9"], comparison.Settings);
        AssertText.AnyHas(comparison.Notes, "from within the two runs");
    }

    [Fact]
    public void From_RunHalfAsLargeInTheSameTime_Differs()
    {
        var comparison = RunComparison.From(Sample.Build(), (Sample with { Spec = Sample.Spec with { Documents = 30_000 } }).Build());
        Assert.Equal(ComparisonVerdict.Differs, comparison.Rows[0].Verdict);
        Assert.True(comparison.Rows[0].Interval95!.Value.Contains(0.5));
    }

    [Fact]
    public void From_ShortRun_SaysThatTheNoiseIsUnknown()
    {
        var comparison = RunComparison.From((Sample with { Seconds = 8 }).Build(), Sample.Build());
        Assert.Equal(ComparisonVerdict.NotKnown, comparison.Rows[0].Verdict);
        Assert.Contains("an interval needs 10", comparison.Rows[0].Basis, StringComparison.Ordinal);
    }

    [Fact]
    public void From_RunsThatCountForNoFinding_AreLeftOutAndNamedIfNoneIsLeft()
    {
        static ExperimentReport Slipped(Func<string, int, bool> which) => MeasuredExperiment.From(
            [("one", 1, [100, 101, 5], null), ("two", 2, [100, 101, 102], null)],
            figures: (variant, repeat, run) => run with { DelaysSlipped = which(variant, repeat) });

        var comparison = ExperimentComparison.From(
            Slipped((variant, repeat) => variant == "two" || repeat == 3), Slipped((_, repeat) => repeat == 3));

        Assert.Equal((1, "2 and 2 repeats"), (comparison.Rows[0].Ratio, comparison.Rows[0].Basis));
        var none = comparison.Rows.First(row => row.Figure == "two: per second");
        Assert.Equal(ComparisonVerdict.NotKnown, none.Verdict);
        Assert.Equal("no run of two has responses in time", none.Basis);
    }

    [Fact]
    public void From_Experiments_ComparesVariantsOfOneNameOverTheirRepeats()
    {
        var before = MeasuredExperiment.From(
            [("same", 1, [100, 104, 98], null), ("faster", 2, [100, 101, 102], null), ("gone", 3, [1, 2, 3], null), ("once", 4, [], null)]);
        var after = MeasuredExperiment.From(
            [
                ("same", 1, [101, 99, 103], null), ("faster", 5, [150, 151, 152], null), ("new", 3, [1, 2, 3], null),
                ("once", 4, [5, 5, 5], null),
            ]);

        var comparison = ExperimentComparison.From(before, after);

        ComparisonRow Row(string figure) => Assert.Single(comparison.Rows, row => row.Figure == figure);
        Assert.Equal(ComparisonVerdict.Same, Row("same: per second").Verdict);
        Assert.Equal(ComparisonVerdict.Differs, Row("faster: per second").Verdict);
        Assert.Equal(1.495, Row("faster: per second").Ratio!.Value, precision: 3);
        Assert.Equal("it needs more cores", Row("once: per second").Basis);
        Assert.Equal(["faster: client.concurrency: 2, 5"], comparison.Settings);
        Assert.Contains("Only in sample: gone.", comparison.Notes);
        AssertText.AnyHas(comparison.Notes, "differ by chance alone");
    }

    /// <summary>Only two one-sided tests prove that runs are the same; a difference that does not show proves nothing.</summary>
    [Theory]
    [InlineData(0.001, 1, ComparisonVerdict.Same)]
    [InlineData(0.05, 1, ComparisonVerdict.NoDifferenceShown)]
    [InlineData(0.02, 1.04, ComparisonVerdict.NoDifferenceShown)]
    [InlineData(0.002, 1.04, ComparisonVerdict.Differs)]
    public void From_EqualRates_AreTheSameOnlyWhereThatIsShown(double scatter, double ratio, ComparisonVerdict verdict)
    {
        double[] Rates(double rate) => [rate * (1 - scatter), rate, rate * (1 + scatter)];
        var comparison = ExperimentComparison.From(
            MeasuredExperiment.From([("one", 1, Rates(100), null)]), MeasuredExperiment.From([("one", 1, Rates(100 * ratio), null)]));
        Assert.Equal(verdict, comparison.Rows[0].Verdict);
    }

    [Fact]
    public void From_Experiments_ShowsTheirVerdictsSideBySide()
    {
        FindingSpec[] findings =
        [
            new() { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] }, new() { Kind = FindingKind.TableStorage },
        ];
        ExperimentReport Experiment(bool simulated) => MeasuredExperiment.From(
            [("one", 1, [100, 101, 100], null), ("two", 2, [200, 201, 200], null), ("four", 4, [150, 151, 150], null)],
            findings: findings, simulated: simulated);

        Assert.Equal(
            ["concurrencyPeak: supported, emergent in the first, supported, measured in the second", "tableStorage: not tested in both"],
            ExperimentComparison.From(Experiment(simulated: true), Experiment(simulated: false)).Findings);
    }

    [Fact]
    public void Read_ReportOfEitherKind_IsRecognizedByItsFields()
    {
        Assert.NotNull(ReportFile.Read(RunForms.Kind.Write(Sample.Build())).Run);
        var experiment = ReportFile.Read(ExperimentForms.Kind.Write(MeasuredExperiment.From([("a", 1, [1], null)])));
        Assert.NotNull(experiment.Experiment);
        Assert.Null(experiment.Run);
    }

    [Theory]
    [InlineData("""{ "variants": 3 }""")]
    [InlineData("""{ "throughput": {} }""")]
    public void Read_ReportOfAnOlderVersion_SaysSo(string text) =>
        Assert.Equal(EvidenceProblem.OlderFormat,
            Assert.Throws<EvidenceException>(() => ReportFile.Read(Encoding.UTF8.GetBytes(text))).Problem);

    /// <summary><c>none</c> is a legal value of some settings, such as the latency of a simulated account.</summary>
    [Fact]
    public void Settings_GivenInOneSpecOnly_AreNotSetInTheOther() =>
        Assert.Equal(
            ["client.rate: not set, 10"],
            SettingDifferences.From(new RunSpec(), new RunSpec { Client = ClientSpec.Defaults with { Rate = 10 } }));

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{}")]
    public void Read_AnythingElse_IsNoReport(string text) =>
        Assert.ThrowsAny<JsonException>(() => ReportFile.Read(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void Page_TwoRuns_HasTheVerdictsTheFiguresAndThePicture()
    {
        var page = ComparisonPage.From(
            RunComparison.From(Sample.Build(), (Sample with { Spec = Sample.Spec with { Id = "two", Documents = 30_000 } }).Build()));
        var text = string.Join('\n', page.ToText());

        Assert.Matches(
            @"^Simulated: two against one: documents per second x 0\.50 \(95% interval 0\.\d+ to 0\.\d+\)\.\n"
                + @"The noise of 6 figures is not known\.\nSettings that differ \(first, second\): documents: 60000, 30000\.\n",
            text);
        Assert.Matches(@"documents per second +[\d,.]+ +[\d,.]+ +0\.50 +95%: 0\.\d+ to 0\.\d+  differs +means of \d+ stretches", text);
        Assert.Contains("  - documents: 60000, 30000", text, StringComparison.Ordinal);
        var chart = JsonNode.Parse(XDocument.Parse(page.ToHtml()).Descendants("figure").Single().Element("script")!.Value)!;
        Assert.Equal("no difference", (string?)chart["marks"]![0]!["name"]);
        Assert.Equal("logarithmic", (string?)chart["x"]!["scale"]);
        Assert.Equal(1, (double)chart["x"]!["min"]! * (double)chart["x"]!["max"]!, tolerance: 0.001);
        Assert.Contains("| throttled share ", page.ToMarkdown(), StringComparison.Ordinal);
    }

    /// <summary>1, where nothing differs, is in the middle, and noise does not fill the axis.</summary>
    [Fact]
    public void Page_RunsThatAreAlike_HaveALinearAxisAroundOne()
    {
        var page = ComparisonPage.From(
            RunComparison.From(Sample.Build(), (Sample with { Spec = Sample.Spec with { Id = "two", Seed = 9 } }).Build()));
        var axis = JsonNode.Parse(XDocument.Parse(page.ToHtml()).Descendants("figure").Single().Element("script")!.Value)!["x"]!;

        Assert.Equal("two against one: no figure is shown to differ.", page.Result[0]);
        Assert.Equal("linear", (string?)axis["scale"]);
        Assert.InRange((double)axis["max"]!, 1.1, 1.6);
        Assert.Equal(1, ((double)axis["min"]! + (double)axis["max"]!) / 2, tolerance: 0.001);
    }

    [Fact]
    public void Page_RunWithSlippedDelays_SaysFirstThatItIsNotValidAndComparesNoRate()
    {
        var delays = new DeliveredDelays
        {
            Responses = 1_000, Slipped = 20, Configured = new() { P50 = 4, P99 = 10, Max = 30 },
            Delivered = new() { P50 = 4, P99 = 20, Max = 30 }, Slip = new() { P50 = 4, P99 = 10, Max = 30 },
        };
        var slipped = RunReportBuilder.Build(Sample.Ending() with { Delays = delays }, Sample.AllLegs());
        var other = Sample with { Spec = Sample.Spec with { Id = "two", Documents = 30_000 } };
        var comparison = RunComparison.From(slipped, other.Build());
        var page = ComparisonPage.From(comparison);

        const string Title = "Not valid: rate and share of 429s of one, latencies of one";
        Assert.Equal(Title + ". two against one: no figure is shown to differ.", page.Result[0]);
        Assert.Equal(ComparisonVerdict.NotKnown, comparison.Rows[0].Verdict);
        Assert.Equal("not valid: rate of one", comparison.Rows[0].Basis);
        Assert.Equal("not valid: latencies of one", comparison.Rows.Single(row => row.Figure == "latency p99, ms").Basis);
        Assert.Equal("one value from each run", comparison.Rows.Single(row => row.Figure == "RU per insert").Basis);
        AssertText.Has(page.ToHtml(), Title, slipped.Invalid[0].Why);
    }

    [Fact]
    public void Page_NothingInBoth_SaysSo()
    {
        var page = ComparisonPage.From(ExperimentComparison.From(
            MeasuredExperiment.From([("one", 1, [1, 1], null)]), MeasuredExperiment.From([("two", 1, [1, 1], null)])));
        Assert.Equal("sample against sample: nothing to compare, no variant is in both.", page.Result[0]);
    }
}
