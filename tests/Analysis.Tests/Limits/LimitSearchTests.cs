using ScaleOut.Bench.KnownTruth;

namespace ScaleOut.Tests.Analysis.Limits;

public sealed class LimitSearchTests
{
    private const int Searches = 60;

    public static TheoryData<string> Bounds => ["request units", "client", "latency"];

    /// <summary><c>bench known-truth</c> searches the same truths more often.</summary>
    public static TheoryData<string> Planted =>
    [
        "queue, spread 1%", "queue, spread 5%", "bend, spread 5%", "held or failed alone, spread 5%", "queue, AR(1) 0.9 of 5%",
        "held or failed alone, AR(1) 0.97 of 5%",
        "queue, spread 3%, 20% of runs fail otherwise", "queue, spread 5% at the limit and 20% at 1.2 of it",
        "queue, spread 5% at the limit and 40% at 1.2 of it", "queue, spread 2%, 40% hold up to 1.5 of the limit",
        "low rates fail too, spread 5%", "pure chance, a figure without a slope", "pure chance, held or failed alone",
    ];

    [Theory(Explicit = true), MemberData(nameof(Bounds))]
    [Trait("Duration", "Long")]
    public void Search_PlantedLimit_IsFoundWithinFivePercent(string bound)
    {
        const int FewSearches = Searches / 3;
        var wrong = new List<string>();
        for (var seed = 1; seed <= FewSearches; seed++)
        {
            var system = PlantedOf(bound, 300 * Math.Pow(30, (seed - 0.5) / FewSearches));

            var (decision, _) = system.Search(new LimitSpec(), seed);

            if (Math.Abs((decision.Fit!.Limit / system.Asked) - 1) > 0.05)
                wrong.Add(FormattableString.Invariant($"{system.Asked:0}: {decision}"));
        }

        Assert.True(wrong.Count <= FewSearches / 20, string.Join(Environment.NewLine, wrong));
    }

    [Theory(Explicit = true), MemberData(nameof(Planted))]
    [Trait("Duration", "Long")]
    public void Interval_PlantedTruth_MissesItNoMoreOftenThanItMay(string name)
    {
        var truth = Truths.All.Single(one => one.Name == name);
        var result = truth.Search(Searches, new LimitSpec());

        Assert.True(result.IsKept, FormattableString.Invariant($"missed {result.Missed:0.0%}"));
        // An interval that is always wide says nothing, and neither does a search that never gives one. Runs that are only held or failed
        // cannot rule out a drift, and runs whose noise grows with the rate differ more, which costs width. Above a limit that a third of
        // the runs exceed by far, little is learned of it.
        var lowRatesFail = name.StartsWith("low rates", StringComparison.Ordinal);
        var differsMore = name.Contains("20%", StringComparison.Ordinal) || lowRatesFail;
        var (widest, mostWithout) = truth.IsSlowAbove ? (0.35, 0.45)
            : (!truth.HasFigure ? 0.13 : differsMore ? 0.12 : 0.09, lowRatesFail ? 0.35 : 0.25);
        Assert.True(
            !truth.HasLimit || truth.Drifts || (result.Width < widest && result.WithoutInterval < mostWithout),
            FormattableString.Invariant($"width {result.Width:0.0%}, without interval {result.WithoutInterval:0.0%}"));
        Assert.True(!truth.Drifts || result.SaidDrift > 0.5, FormattableString.Invariant($"drift {result.SaidDrift:0.0%}"));
    }

    /// <summary>Among as many searches as the bench makes are some whose curve has its middle below one document per second.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Search_CurveHasItsMiddleBelowTheLowestRate_EndsWithoutAnInterval()
    {
        var result = Truths.All.Single(one => one.Name == "pure chance, a figure without a slope").Search(300, new LimitSpec());

        Assert.True(result.IsKept, FormattableString.Invariant($"missed {result.Missed:0.0%}"));
    }

    [Fact]
    public void Search_WithoutNoise_DoublesBisectsAndMeasuresAroundTheLimit()
    {
        var (decision, measurements) = new PlantedLimit(1_000, (rate, _) => rate <= 1_000).Search(new LimitSpec(), seed: 1);

        Assert.Equal([100, 200, 400, 800, 1_600, 1_131, 951.2, 1_037], measurements.Take(8).Select(one => one.Rate));
        Assert.Equal(LimitEnd.Refined, decision.End);
        Assert.InRange(1_000, decision.Bracket.Low!.Value, decision.Bracket.High!.Value);
        Assert.InRange(decision.Bracket.High.Value / decision.Bracket.Low.Value, 1, 1.051);
        Assert.InRange(decision.Fit!.Deviation, 0.001, 0.03);
        Assert.All(
            measurements.GroupBy(one => one.Rate),
            group => Assert.Equal(Enumerable.Range(1, group.Count()), group.Select(one => one.Repeat)));
    }

    [Fact]
    public void Search_MoreNoise_IsEstimatedAndTakesMoreRuns()
    {
        PlantedLimit Of(double spread) => new(1_000, (rate, random) => rate <= 1_000 * PlantedLimit.Noise(random, spread));
        var found = new[] { 0.005, 0.05 }.Select(spread => Of(spread).Search(new LimitSpec(), seed: 3)).ToList();

        Assert.True(found[1].Measurements.Count > found[0].Measurements.Count);
        Assert.True(found[1].Decision.Fit!.Deviation > 2 * found[0].Decision.Fit!.Deviation);
    }

    /// <summary>A durable engine replays the search.</summary>
    [Fact]
    public void Next_SameRuns_DecidesTheSame()
    {
        var (decision, measurements) = PlantedLimit.OfLatency(1_000).Search(new LimitSpec(), seed: 5);
        Assert.Equal(decision, LimitSearch.Next(new LimitSpec(), [.. measurements]));
        for (var runs = 0; runs < measurements.Count; runs++)
            Assert.Equal(measurements[runs].Rate, LimitSearch.Next(new LimitSpec(), [.. measurements.Take(runs)]).Rate);
    }

    [Fact]
    public void Search_FirstRateTooHigh_GoesDown()
    {
        var (decision, measurements) = new PlantedLimit(37, (rate, _) => rate <= 37).Search(new LimitSpec { From = 500 }, seed: 1);
        Assert.Equal(LimitEnd.Refined, decision.End);
        Assert.InRange(37, decision.Bracket.Low!.Value, decision.Bracket.High!.Value);
        Assert.Equal([500, 250, 125, 62.5, 31.25], measurements.Take(5).Select(one => one.Rate));
    }

    [Fact]
    public void Search_EverythingHolds_EndsAtTheHighestRate()
    {
        var (decision, measurements) = new PlantedLimit(1e9, (_, _) => true).Search(new LimitSpec { From = 100, To = 1_000 }, seed: 1);
        Assert.Equal((1_000.0, (double?)null, LimitEnd.HoldsAll), (decision.Bracket.Low, decision.Bracket.High, decision.End));
        Assert.Equal(3, measurements.Count(one => one.Rate == 1_000));
    }

    [Fact]
    public void Search_NothingHolds_EndsAtTheLowestRate()
    {
        var (decision, measurements) = new PlantedLimit(0, (_, _) => false).Search(new LimitSpec { From = 10 }, seed: 1);
        Assert.Equal(((double?)null, LimitEnd.NoneHolds), (decision.Bracket.Low, decision.End));
        Assert.Equal(LimitSpec.MinRate, measurements.Min(one => one.Rate));
    }

    /// <summary>The first rate and all below it fail for a reason of low rates; 400 to 1,000 per second hold.</summary>
    [Fact]
    public void Search_LowRatesFail_LooksAboveAndLeavesThemOut()
    {
        var system = new PlantedLimit(1_000, (rate, _) => rate is >= 400 and <= 1_000);
        var (decision, measurements) = system.Search(new LimitSpec { From = 150 }, seed: 1);

        Assert.Equal(LimitEnd.Refined, decision.End);
        Assert.InRange(1_000, decision.Bracket.Low!.Value, decision.Bracket.High!.Value);
        Assert.Equal(LimitSpec.MinRate, measurements.Min(one => one.Rate));
        var low = LimitPoint.WithoutOtherReasons(measurements).Where(one => one.Rate < 400).ToList();
        Assert.NotEmpty(low);
        Assert.All(low, one => Assert.StartsWith(LimitPoint.FailedAtLowRate, one.Reason, StringComparison.Ordinal));
    }

    /// <summary>The rates above the first one end where there is no sign of a limit, so that an account is not flooded.</summary>
    [Fact]
    public void Search_NothingHoldsAbove_TriesFewRates()
    {
        var (decision, measurements) = new PlantedLimit(0, (_, _) => false).Search(new LimitSpec { From = 10 }, seed: 1);
        Assert.Equal(LimitEnd.NoneHolds, decision.End);
        Assert.Equal([20, 40, 80], measurements.Where(one => one.Rate > 10).Select(one => one.Rate));
    }

    /// <summary>A throttled or failing account is not asked for more.</summary>
    [Theory]
    [InlineData(LimitCause.Throttling)]
    [InlineData(LimitCause.Errors)]
    public void Next_FirstRateThrottled_LooksOnlyBelow(LimitCause cause)
    {
        var runs = new List<MeasuredRun>();
        var spec = new LimitSpec { From = 4 };
        while (LimitSearch.Next(spec, runs) is { End: null } next)
            runs.Add(Measured(next.Rate, next.Repeat, held: false) with { NotMet = cause });
        Assert.Equal(4, runs.Max(run => run.Rate));
        Assert.Equal(LimitEnd.NoneHolds, LimitSearch.Next(spec, runs).End);
    }

    /// <summary>A latency that grows from rate to rate while the rate falls turns the search at once.</summary>
    [Fact]
    public void Next_LatencyGrowsWhileTheRateFalls_TurnsUpwards()
    {
        MeasuredRun Late(double rate, double p99) => Measured(rate, 1, held: false) with
        {
            NotMet = LimitCause.Latency,
            Figures = [new("p99", p99, 20, MayBeZero: false)],
        };
        Assert.Equal(25, LimitSearch.Next(new LimitSpec(), [Late(100, 30), Late(50, 60)]).Rate);
        Assert.Equal(200, LimitSearch.Next(new LimitSpec(), [Late(100, 30), Late(50, 60), Late(25, 120)]).Rate);
        Assert.Equal(12.5, LimitSearch.Next(new LimitSpec(), [Late(100, 30), Late(50, 25), Late(25, 24)]).Rate);
    }

    [Fact]
    public void Search_PureChance_UsesUpItsRunsAndSaysThatNoLimitCanBeShown()
    {
        var system = new PlantedLimit(1_000, (_, random) => random.NextDouble() < 0.5);
        var (decision, measurements) = system.Search(new LimitSpec { Repeats = 2 }, seed: 1);
        Assert.Equal((LimitEnd.Unknown, LimitDoubt.NoSlope, 40), (decision.End, decision.Doubt, measurements.Count));
    }

    [Fact]
    public void Search_ThreeMeasurementsThatSayNothing_GivesUp()
    {
        MeasuredRun Broken(int repeat) => Measured(100, repeat) with { Reason = "the account is gone" };

        var again = LimitSearch.Next(new LimitSpec(), [Broken(1), Broken(2)]);
        Assert.Equal((null, 100.0, 3), (again.End, again.Rate, again.Repeat));
        Assert.Equal(LimitEnd.GivenUp, LimitSearch.Next(new LimitSpec(), [Broken(1), Broken(2), Broken(3)]).End);
    }

    /// <summary>Otherwise the search would look for the limit of the machine. The first run is repeated once.</summary>
    [Fact]
    public void Search_FirstRunsOnAFullMachine_Stops()
    {
        var full = Measured(100, 1) with { OnFullMachine = true };
        var held = Measured(100, 1, held: true);

        var again = LimitSearch.Next(new LimitSpec(), [full]);
        Assert.Equal((null, 100.0, 2), (again.End, again.Rate, again.Repeat));
        Assert.Equal(LimitEnd.FullMachine, LimitSearch.Next(new LimitSpec(), [full, full with { Repeat = 2 }]).End);
        Assert.Null(LimitSearch.Next(new LimitSpec(), [held, full with { Rate = 200 }]).End);
        var last = LimitSearch.Next(new LimitSpec(), [held, .. Enumerable.Repeat(full with { Rate = 200 }, 3)]);
        Assert.Equal((LimitEnd.FullMachine, 100.0), (last.End, last.Bracket.Low));
    }

    [Fact]
    public void Search_FullMachineAtItsEnd_KeepsTheIntervalOfTheRunsBefore()
    {
        double[] rates = [80, 120, 90, 110, 100];
        List<MeasuredRun> measured =
        [
            .. from repeat in Enumerable.Range(1, 4)
               from rate in rates
               select Measured(rate, repeat, rate < 100 || (rate == 100 && repeat % 2 == 0)),
        ];
        List<MeasuredRun> full = [.. Enumerable.Range(5, 3).Select(repeat => Measured(100, repeat) with { OnFullMachine = true })];

        Assert.Null(LimitSearch.Next(new LimitSpec(), [.. measured, .. full.Take(2)]).End);
        var end = LimitSearch.Next(new LimitSpec(), [.. measured, .. full]);
        Assert.Equal((LimitEnd.NotRefined, 0.95), (end.End, end.Bracket.Probability));
        Assert.InRange(100, end.Bracket.Low!.Value, end.Bracket.High!.Value);
    }

    [Fact]
    public void Points_FewRunsThatFailInErrors_SayNothing()
    {
        var held = Measured(100, 1, held: true);
        var late = Measured(100, 1, held: false) with { NotMet = LimitCause.Latency };
        var errors = late with { NotMet = LimitCause.Errors };
        Assert.Equal(3, LimitPoint.From([late, late, errors, held]).Count);
        Assert.Equal(2, LimitPoint.From([errors, held]).Count);
        // The figure is not that of a run which does not count.
        var stray = errors with { Figures = [new("errors", 6, 5, MayBeZero: true)] };
        Assert.Null(LimitPoint.FigureOf([late, late, stray, held]));
        Assert.Equal("errors", LimitPoint.FigureOf([stray, held]));
    }

    [Theory]
    [InlineData(162.5, "1625e2", 162.5)]
    [InlineData(1, "1000e0", 1)]
    [InlineData(1_000_000, "1000e6", 1_000_000)]
    [InlineData(12_345, "1234e4", 12_340)]
    [InlineData(999.96, "1000e3", 1_000)]
    [InlineData(3.14159, "3142e0", 3.142)]
    public void Round_AnyRate_HasFourDigitsAndANameOfItsOwn(double rate, string name, double rounded)
    {
        Assert.Equal(rounded, LimitRate.Round(rate));
        Assert.Equal(name, LimitRate.NameOf(rate));
        Assert.Equal(rounded, LimitRate.Round(rounded));
    }

    private static MeasuredRun Measured(double rate, int repeat, bool? held = null) =>
        new() { Rate = rate, Repeat = repeat, RunId = "run", Held = held };

    private static PlantedLimit PlantedOf(string bound, double limit) => bound switch
    {
        "request units" => PlantedLimit.OfRequestUnits(limit),
        "client" => PlantedLimit.OfClient(limit),
        _ => PlantedLimit.OfLatency(limit),
    };
}
