using ScaleOut.Tests.Analysis.Experiments;

namespace ScaleOut.Tests.Analysis.Calibration;

public sealed class ProfileBuilderTests
{
    private static readonly RunSpec Inserts = new() { Documents = 20_000, Workers = 1 };

    [Fact]
    public void From_PlainInserts_NamesEveryFigureThatIsMissing()
    {
        var (profile, reason) = Make([Inserts, Inserts]);

        Assert.Null(reason);
        Assert.Empty(profile!.Charges.Writes);
        Assert.Equal(
            [
                "charges of point reads by size", "charges of creates by size", "charge of an index entry", "network round trip",
                "gateway's hop", "service time of writes", "service time of reads", "ms per KB", "ms per operation of a batch",
                "retry-after", "RU that a partition admits in a second", "burst credit",
            ],
            profile.Notes.Where(note => note.StartsWith("Not measured: ", StringComparison.Ordinal))
                .Select(note => note["Not measured: ".Length..note.IndexOf('.', StringComparison.Ordinal)]));
        Assert.Equal([new LayoutFigure(60_000, 10)], profile.Layout);
    }

    /// <summary>An insert of the default document has 11 entries: 4 x (26 + 11) / 21 = 7.05 RU. 6.67 are two entries fewer.</summary>
    [Theory]
    [InlineData(7.05, "keeps", 1, 1)]
    [InlineData(7.046, "keeps", 1, 1)]
    [InlineData(6.67, "does not keep", 1, 0)]
    [InlineData(7.25, "does not keep", 0, 0)]
    public void From_ChargesOfInserts_SaysWhetherTheAccountKeepsToTheLaw(double charge, string verb, int whole, int counted)
    {
        var (profile, _) = Make([Inserts, Inserts], report => report with
        {
            DocumentBytes = 155,
            Requests = report.Requests with { Throttled = 0, OtherErrors = 0, Operations = 1_000 },
            RequestUnits = report.RequestUnits with { Total = charge * 1_000 },
            Documents = report.Documents with { AlreadyPresent = 0, Failed = 0 },
        });

        Assert.Equal(new LawCheck(1, whole, counted), profile!.Charges.Law);
        Assert.StartsWith($"The account {verb} to the law of the charges", profile.Notes[0], StringComparison.Ordinal);
        Assert.StartsWith("Three requests can check it", profile.Notes[1], StringComparison.Ordinal);
    }

    [Fact]
    public void From_RunThatIsNotComplete_IsInNoFigureAndSaysSo()
    {
        var (profile, _) = Make([Inserts, Inserts], report => report.Id.EndsWith("r02", StringComparison.Ordinal)
            ? report with { State = RunState.Incomplete, RequestUnits = report.RequestUnits with { Total = 1e9 } }
            : report);
        Assert.Contains(profile!.Notes, note => note.StartsWith("1 of 2 runs are not complete", StringComparison.Ordinal));
        Assert.InRange(profile.RequestUnits, 1, 1e6);
    }

    [Fact]
    public void From_NoCompleteRunOrDifferentPhysics_HasAReason()
    {
        var incomplete = Make([Inserts], report => report with { State = RunState.Incomplete });
        var different = Make([Inserts, Inserts with { Simulation = new() { Latency = LatencyProfile.CrossRegion } }]);
        Assert.Equal((null, null), (incomplete.Profile, different.Profile));
        Assert.StartsWith("none of its runs is complete", incomplete.Reason, StringComparison.Ordinal);
        Assert.Equal("its variants have simulated accounts with different physics", different.Reason);
    }

    [Theory]
    [InlineData("normal")]
    [InlineData("heavy tails")]
    [InlineData("one run of ten is slow")]
    [InlineData("one repeat is five times as noisy")]
    [InlineData("log-normal")]
    [InlineData("a drift that is in both of two runs that are compared")]
    public void Mean_RunsThatDifferAsAWhole_CoversTheTruthAsOftenAsItSays(string noise)
    {
        var random = new Random(7);
        const int experiments = 2_000;
        var drift = 0.0;
        double Normal() => RunSample.Normal(random);
        double Value(int repeat) => noise switch
        {
            "heavy tails" => Normal() / Math.Sqrt(Enumerable.Range(0, 3).Average(_ => Math.Pow(Normal(), 2))),
            "one run of ten is slow" => Normal() + (random.NextDouble() < 0.1 ? 8 : 0),
            "one repeat is five times as noisy" => Normal() * (repeat == 0 ? 5 : 1),
            "log-normal" => Math.Exp(0.5 * Normal()) - 1,
            "a drift that is in both of two runs that are compared" =>
                (drift += Normal()) + Normal() - (drift + Normal()),
            _ => Normal(),
        };

        foreach (var repeats in new[] { 3, 5 })
        {
            var covered = Enumerable.Range(0, experiments).Count(_ => Blocks.Mean(Enumerable.Range(0, repeats).Select(Value))!.Covers(0));
            Assert.InRange(covered / (double)experiments, 0.935, 1);
        }
    }

    [Fact]
    public void Ends_LeastAndLargestOfRuns_CoverTheEndsAsOftenAsTheySay()
    {
        var random = new Random(8);
        const int experiments = 2_000;
        var (low, high) = (0, 0);
        for (var i = 0; i < experiments; i++)
        {
            List<List<double>> runs = [.. Enumerable.Range(0, 3).Select(_ =>
                Enumerable.Range(0, 50).Select(_ => 10 + (90 * random.NextDouble())).ToList())];
            low += Blocks.LowEnd(runs.Select(run => run.Min()))!.Covers(10) ? 1 : 0;
            high += Blocks.HighEnd(runs.Select(run => run.Max()))!.Covers(100) ? 1 : 0;
        }

        Assert.InRange(low / (double)experiments, 0.935, 1);
        Assert.InRange(high / (double)experiments, 0.935, 1);
    }

    [Fact]
    public void Figures_OneRun_HaveNoInterval()
    {
        Assert.Null(Blocks.Mean([5]));
        Assert.Null(Blocks.LowEnd([5]));
        Assert.Null(Blocks.HighEnd([5]));
    }

    private static (AccountProfile? Profile, string? Reason) Make(IReadOnlyList<RunSpec> specs, Func<RunReport, RunReport>? edit = null)
    {
        List<RunReport> reports = [.. specs.Select((spec, index) => spec with { Id = $"sample-v01-r{index + 1:00}" })
            .Select(spec => new RunSample { Spec = spec, Seconds = 30 }.Build())
            .Select(report => edit?.Invoke(report) ?? report)];
        var experiment = MeasuredExperiment.From([("one", 1, [.. specs.Select(_ => 1_000.0)], null)]);
        var runs = experiment.Variants[0].Runs.Zip(reports, (run, report) => run with { RunId = report.Id, State = report.State });
        return ProfileBuilder.From(
            experiment with { Variants = [experiment.Variants[0] with { Runs = [.. runs] }] }, reports.ToDictionary(report => report.Id));
    }
}
