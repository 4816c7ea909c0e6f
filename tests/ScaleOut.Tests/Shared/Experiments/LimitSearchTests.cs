namespace ScaleOut.Tests.Shared.Experiments;

public sealed class LimitSearchTests
{
    private const int Searches = 100;
    private const int MaxWrong = 5;

    public static TheoryData<string> Bounds => ["request units", "client", "latency"];

    [Theory]
    [MemberData(nameof(Bounds))]
    public void Search_PlantedLimit_IsFoundWithinFivePercentInAtLeast95Of100(string bound)
    {
        var wrong = new List<string>();
        var runs = 0;
        for (var seed = 1; seed <= Searches; seed++)
        {
            var system = PlantedOf(bound, 300 * Math.Pow(30, (seed - 0.5) / Searches));

            var (decision, measurements, achieved) = system.Search(new LimitSpec(), seed);

            runs += measurements.Count;
            if (achieved is not { } rate || Math.Abs((rate / system.Limit) - 1) > 0.05)
                wrong.Add(FormattableString.Invariant($"{system.Limit:0}: {achieved:0} in {decision.Bracket}, {decision.End}"));
        }

        Assert.True(wrong.Count <= MaxWrong, string.Join(Environment.NewLine, wrong));
        Assert.InRange(runs / (double)Searches, 8, 40);
    }

    [Theory]
    [MemberData(nameof(Bounds))]
    public void Interval_PlantedLimit_HoldsTheTruthAsOftenAsItSays(string bound)
    {
        var wrong = new List<string>();
        for (var seed = 1; seed <= 3 * Searches; seed++)
        {
            var system = PlantedOf(bound, 300 * Math.Pow(30, (seed - 0.5) / (3 * Searches)));

            var (decision, _, _) = system.Search(new LimitSpec(), 1_000 + seed);

            if (!(decision.Bracket.Low <= system.Asked && system.Asked <= decision.Bracket.High))
                wrong.Add(FormattableString.Invariant($"{system.Limit:0}: {decision.Bracket}, {decision.End}"));
        }

        Assert.True(wrong.Count <= 3 * MaxWrong, string.Join(Environment.NewLine, wrong));
    }

    [Fact]
    public void Search_WithoutNoise_DoublesBisectsAndConfirmsBothEnds()
    {
        var system = new PlantedLimit(1_000, (rate, _) => (rate <= 1_000, rate));

        var (decision, measurements, _) = system.Search(new LimitSpec(), seed: 1);

        Assert.Equal(
            [100, 200, 400, 800, 1_600, 1_131, 951.2, 1_037, 993.2], measurements.Select(one => one.Rate).Distinct());
        Assert.Equal((993.2, 1_037.0, LimitEnd.Refined), (decision.Bracket.Low, decision.Bracket.High, decision.End));
        Assert.InRange(decision.Bracket.Probability, 0.95, 1);
        Assert.All([993.2, 1_037], end => Assert.InRange(measurements.Count(one => one.Rate == end), 3, 6));
        Assert.All(
            measurements.GroupBy(one => one.Rate),
            group => Assert.Equal(Enumerable.Range(1, group.Count()), group.Select(one => one.Repeat)));
    }

    [Fact]
    public void Search_MoreConfidence_TakesMoreMeasurements()
    {
        var system = new PlantedLimit(1_000, (rate, _) => (rate <= 1_000, rate));
        var counts = new[] { 0.8, 0.95, 0.999 }
            .Select(confidence => system.Search(new LimitSpec { Repeats = 1, Confidence = confidence }, seed: 1))
            .Select(found => (found.Measurements.Count, found.Decision.Bracket.Probability)).ToList();

        Assert.True(counts[0].Count < counts[1].Count && counts[1].Count < counts[2].Count, string.Join(", ", counts));
        Assert.True(counts[2].Probability >= 0.999);
    }

    [Fact]
    public void Search_FirstRateTooHigh_GoesDown()
    {
        var system = new PlantedLimit(37, (rate, _) => (rate <= 37, rate));

        var (decision, measurements, _) = system.Search(new LimitSpec { From = 500 }, seed: 1);

        Assert.Equal(LimitEnd.Refined, decision.End);
        Assert.True(decision.Bracket.Low <= 37 && decision.Bracket.High > 37);
        Assert.Equal([500, 250, 125, 62.5, 31.25], measurements.Take(5).Select(one => one.Rate));
    }

    [Fact]
    public void Search_EverythingHolds_EndsAtTheHighestRate()
    {
        var system = new PlantedLimit(1e9, (rate, _) => (true, rate));

        var (decision, measurements, _) = system.Search(new LimitSpec { From = 100, To = 1_000 }, seed: 1);

        Assert.Equal((1_000.0, (double?)null, LimitEnd.HoldsAll), (decision.Bracket.Low, decision.Bracket.High, decision.End));
        Assert.Equal(3, measurements.Count(one => one.Rate == 1_000));
    }

    [Fact]
    public void Search_NothingHolds_EndsAtTheLowestRate()
    {
        var system = new PlantedLimit(0, (rate, _) => (false, 0));

        var (decision, measurements, _) = system.Search(new LimitSpec { From = 10 }, seed: 1);

        Assert.Equal(((double?)null, LimitEnd.NoneHolds), (decision.Bracket.Low, decision.End));
        Assert.Equal(LimitSpec.MinRate, measurements.Min(one => one.Rate));
    }

    [Fact]
    public void Search_PureChance_Ends()
    {
        var system = new PlantedLimit(1_000, (rate, random) => (random.NextDouble() < 0.5, rate));

        var ends = Enumerable.Range(1, 20).Select(seed => system.Search(new LimitSpec(), seed)).ToList();

        Assert.All(ends, end => Assert.InRange(end.Measurements.Count, 1, LimitSearch.MaxMeasurements - 1));
    }

    [Fact]
    public void Search_ThreeMeasurementsThatSayNothing_GivesUp()
    {
        MeasuredRun Broken(int repeat) => new() { Rate = 100, Repeat = repeat, RunId = "run", Reason = "the account is gone" };

        Assert.Equal((null, 100.0, 3), Summary(LimitSearch.Next(new LimitSpec(), [Broken(1), Broken(2)])));
        Assert.Equal(LimitEnd.GivenUp, LimitSearch.Next(new LimitSpec(), [Broken(1), Broken(2), Broken(3)]).End);

        static (LimitEnd?, double, int) Summary(LimitDecision decision) => (decision.End, decision.Rate, decision.Repeat);
    }

    [Theory]
    [InlineData(162.5, "1625e2", 162.5)]
    [InlineData(1, "1000e0", 1)]
    [InlineData(1_000_000, "1000e6", 1_000_000)]
    [InlineData(12_345, "1234e4", 12_340)]
    [InlineData(999.96, "1000e3", 1_000)]
    [InlineData(3.14159, "3142e0", 3.142)]
    public void Rate_HasFourDigitsAndANameOfItsOwn(double rate, string name, double rounded)
    {
        Assert.Equal(rounded, LimitRate.Round(rate));
        Assert.Equal(name, LimitRate.NameOf(rate));
        Assert.Equal(rounded, LimitRate.Round(rounded));
    }

    private static PlantedLimit PlantedOf(string bound, double limit) => bound switch
    {
        "request units" => PlantedLimit.OfRequestUnits(limit),
        "client" => PlantedLimit.OfClient(limit),
        _ => PlantedLimit.OfLatency(limit),
    };
}
