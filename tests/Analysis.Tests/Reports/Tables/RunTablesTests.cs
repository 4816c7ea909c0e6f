using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Tests.Analysis.Experiments;
using Interval = ScaleOut.Analysis.Statistics.Interval;

namespace ScaleOut.Tests.Analysis.Reports.Tables;

public sealed class RunTablesTests
{
    private const string Caveat = "coordinated omission";

    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 40_000 } };

    private static readonly TextTable Words = new Columns<(string Name, double? Rate, string Why)>()
        .Text("Name", row => row.Name)
        .Number("Rate", row => row.Rate, "per second")
        .Share("Hidden", _ => 0.5, console: false)
        .Text("Left out", row => row.Why, when: false)
        .Text("Why", row => row.Why)
        .Table("Words", [("one", 1_234.5, "first of all"), ("twenty", null, "it was measured by nobody at any time")]);

    [Fact]
    public void Table_Columns_AreDeclaredOnceForAllForms()
    {
        Assert.Equal(["Name", "Rate, per second", "Hidden", "Why"], Words.Columns.Select(column => column.Title));
        Assert.Equal(["twenty", "-", "50%", "it was measured by nobody at any time"], Words.Rows[1]);
        Assert.Equal(
            """
            | Name   | Rate, per second | Hidden | Why                                   |
            | ------ | ---------------: | -----: | ------------------------------------- |
            | one    |            1,234 |    50% | first of all                          |
            | twenty |                - |    50% | it was measured by nobody at any time |

            """.ReplaceLineEndings("\n"),
            TableForms.Markdown(Words));
    }

    [Theory]
    [InlineData(
        80,
        "  Name    Rate, per second  Why|"
        + "  one                1,234  first of all|"
        + "  twenty                 -  it was measured by nobody at any time")]
    [InlineData(
        50,
        "  Name    Rate, per second  Why|"
        + "  one                1,234  first of all|"
        + "  twenty                 -  it was measured by|"
        + "                            nobody at any time")]
    [InlineData(
        40,
        "  one  Rate, per second 1,234, Why first|"
        + "       of all|"
        + "  twenty  Rate, per second -, Why it was|"
        + "          measured by nobody at any time")]
    public void Lines_ConsoleOfAnyWidth_ShowsAllOfItsColumns(int width, string lines) =>
        Assert.Equal(lines.Split('|'), TableForms.Lines(Words, width));

    /// <summary>The account charges for each 409, so a document takes more RU than an insert. The report says so.</summary>
    [Theory]
    [InlineData(0, 0, false)]
    [InlineData(1, 0, true)]
    [InlineData(0, 3, true)]
    public void Throughput_UnitsOfRepeatedDocuments_AreNamed(int lostLegs, long alreadyPresent, bool named)
    {
        var report = Sample.Build();
        report = report with { LostLegs = lostLegs, Documents = report.Documents with { AlreadyPresent = alreadyPresent } };
        var row = Assert.Single(RunTables.Throughput(report).Rows, cells => cells[0]!.StartsWith("RU per ", StringComparison.Ordinal))[0]!;
        Assert.Equal(named, row.EndsWith(", repeated attempts included", StringComparison.Ordinal));
        Assert.Equal(
            named, RunForms.Kind.PageOf(report).ToMarkdown().Contains("attempts at documents that were there", StringComparison.Ordinal));
    }

    /// <summary>The RU of 429s are stated apart, because they are in no other figure.</summary>
    [Theory]
    [InlineData(0, false)]
    [InlineData(38, true)]
    public void Page_UnitsOf429s_AreNamedWhenThereAreAny(double requestUnits, bool named)
    {
        var report = Sample.Build();
        report = report with { RequestUnits = report.RequestUnits with { Throttled = requestUnits } };
        var page = RunForms.Kind.PageOf(report).ToMarkdown();
        Assert.Equal(named, page.Contains("charged 38 RU by their headers, not in the RU/s", StringComparison.Ordinal));
        Assert.Equal(named, page.Contains("RU that 429s were charged by their headers (not in the above)", StringComparison.Ordinal));
    }

    [Fact]
    public void Lines_NamesAndValues_NeedNoHeading() => Assert.Equal(
        ["  a       1", "  bc  1,000"],
        TableForms.Lines(TextTable.OfValues("", "Name", "Value", [("a", "1"), ("gone", null), ("bc", "1,000")], areNumbers: true), 80));

    [Fact]
    public void Latency_ClosedLoopOfAnyWorker_SaysWhatItsPercentilesLeaveOut()
    {
        var open = Sample with { Spec = Sample.Spec with { Client = new() { Rate = 50 } } };
        WorkerOverride[] atARate = [new() { Workers = [0, 1, 2], Client = new() { Rate = 50 } }];
        var mixed = (Sample with { Spec = Sample.Spec with { WorkerOverrides = atARate } }).Build();
        Assert.Contains(Caveat, RunTables.Latency(Sample.Build()).Note, StringComparison.Ordinal);
        Assert.DoesNotContain(Caveat, RunTables.Latency(open.Build()).Note, StringComparison.Ordinal);
        Assert.True(mixed.LatencyMs.ClosedLoop);
        Assert.Equal([false, false, false, true], mixed.Workers.Select(worker => worker.LatencyMs.ClosedLoop));
    }

    [Fact]
    public void Partitions_Few_AreListedInOrder()
    {
        var table = PartitionTable.From((Sample with { Partitions = 20 }).Build());
        Assert.Equal(Enumerable.Range(0, 20).Select(id => id.ToString()), table.Rows.Select(row => row[0]));
        Assert.Null(table.Note);
    }

    [Fact]
    public void Partitions_Many_AreTheBusiestWithASummary()
    {
        var table = PartitionTable.From((Sample with { Partitions = 167, HotShare = 0.1 }).Build());
        Assert.Equal(PartitionTable.MaxPartitions, table.Rows.Count);
        Assert.Equal("0", table.Rows[0][0]);
        Assert.StartsWith("The 20 busiest of 167 partitions.", table.Note, StringComparison.Ordinal);
    }

    [Fact]
    public void Page_NoPartitions_HasNoTableOfThem() => Assert.DoesNotContain(
        "## Physical partitions", RunForms.Kind.PageOf(Sample.Build() with { Partitions = [] }).ToMarkdown(), StringComparison.Ordinal);

    /// <summary>Two noisy repeats give intervals such as 0.0731 to 104,578, which look like a result but say nothing.</summary>
    [Theory]
    [InlineData(0.0731, 104_578, "too few repeats")]
    [InlineData(100, 1_001, "too few repeats")]
    [InlineData(100, 999, "100 to 999")]
    public void Interval_OfARate_SaysWhenItIsTooWide(double low, double high, string text) =>
        Assert.Equal(text, ExperimentTables.Interval(new Interval(low, high)));

    [Fact]
    public void Details_TwoRepeatsWithNoise_SayThatTheyAreTooFew()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [100, 180], null), ("two", 2, [150, 320], null), ("four", 4, [90, 200], null)], simulated: false,
            findings: [new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] }]);
        var finding = Assert.Single(report.Findings);
        Assert.True(finding.Interval95!.Value.IsTooWide);
        Assert.Contains("(95% interval: too few repeats)", finding.Sentence, StringComparison.Ordinal);
        Assert.Contains("too few repeats", FindingText.Details(finding)[0], StringComparison.Ordinal);
        Assert.DoesNotContain(" to ", FindingText.Details(finding)[0], StringComparison.Ordinal);
    }
}
