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
    public void From_NoCompleteRun_HasAReason()
    {
        var (profile, reason) = Make([Inserts], report => report with { State = RunState.Incomplete });

        Assert.Null(profile);
        Assert.StartsWith("none of its runs is complete", reason, StringComparison.Ordinal);
    }

    [Fact]
    public void From_DifferentPhysics_HasAReason()
    {
        var (profile, reason) = Make([Inserts, Inserts with { Simulation = new() { Latency = LatencyProfile.CrossRegion } }]);

        Assert.Null(profile);
        Assert.Equal("its variants have simulated accounts with different physics", reason);
    }

    [Fact]
    public void Mean_RunsThatDifferAsAWhole_CoversTheTruthAsOftenAsItSays()
    {
        var random = new Random(7);
        const int experiments = 2_000;
        var covered = Enumerable.Range(0, experiments).Count(_ =>
            Blocks.Mean(Enumerable.Range(0, 3).Select(_ => 5 + Normal(random)))!.Covers(5));

        Assert.InRange(covered / (double)experiments, 0.935, 0.965);
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
        List<RunReport> reports =
        [
            .. specs.Select((spec, index) => spec with { Id = $"sample-v01-r{index + 1:00}" })
                .Select(spec => new RunSample { Spec = spec, Seconds = 30 }.Build())
                .Select(report => edit?.Invoke(report) ?? report),
        ];
        var experiment = MeasuredExperiment.From([("one", 1, [.. specs.Select(_ => 1_000.0)], null)]);
        experiment = experiment with
        {
            Variants =
            [
                experiment.Variants[0] with
                {
                    Runs = [.. experiment.Variants[0].Runs.Select((run, index) => run with
                    {
                        RunId = reports[index].Id, State = reports[index].State,
                    })],
                },
            ],
        };
        return ProfileBuilder.From(experiment, reports.ToDictionary(report => report.Id));
    }

    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
