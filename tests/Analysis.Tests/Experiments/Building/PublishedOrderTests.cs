namespace ScaleOut.Tests.Analysis.Experiments.Building;

public sealed class PublishedOrderTests
{
    [Fact]
    public void From_RatesOfBothKinds_ComparesTheOrderOfEveryPair()
    {
        // By the parameters alone, 40 and 41 in flight are a tie. Their published rates differ.
        var published = MeasuredExperiment.From(
        [
            ("one", 1, [180, 181, 179], 300), ("two", 2, [360, 361, 362], 500), ("four", 4, [350, 351, 349], 900),
            ("forty", 40, [4_000, 3_800, 4_200], 905), ("forty-one", 41, [4_100, 3_900, 4_300], 2_000), ("no core", 8, [], 1_000),
        ],
        simulated: false).Published!;

        Assert.Equal(15, published.Pairs.Count);
        Assert.Equal(PairVerdict.Agrees, Verdict("one", "two"));
        Assert.Equal(PairVerdict.Disagrees, Verdict("two", "four"));
        Assert.Equal(PairVerdict.Undecided, Verdict("forty", "forty-one"));
        Assert.Equal(PairVerdict.Tie, Verdict("four", "forty"));
        Assert.Equal(PairVerdict.NotTestable, Verdict("one", "no core"));
        Assert.Equal("the 95% interval of the measured ratio contains 1", Pair("forty", "forty-one").Reason);
        Assert.Contains("the published rates differ by 0.6% only", Pair("four", "forty").Reason, StringComparison.Ordinal);
        Assert.Contains("it needs more cores", Pair("one", "no core").Reason, StringComparison.Ordinal);
        Assert.Equal(["client.concurrency (2, 1)"], Pair("one", "two").Differences);
        Assert.True(Pair("one", "two").Interval95 is { Low: > 1.98, High: < 2.03 }, $"{Pair("one", "two").Interval95}");
        Assert.Equal(5, published.Compared);
        // Ranks 1 2 3 4 5 against 1 3 2 4 5.
        Assert.Equal(0.9, published.Spearman!.Value, precision: 9);
        Assert.Equal(0.6, published.Rows[0].Ratio);

        PublishedPair Pair(string one, string other) =>
            Assert.Single(
                published.Pairs, pair => (pair.Faster, pair.Slower) == (one, other) || (pair.Faster, pair.Slower) == (other, one));
        PairVerdict Verdict(string one, string other) => Pair(one, other).Verdict;
    }

    /// <summary>That holds for the faster and the slower variant of a pair.</summary>
    [Theory]
    [InlineData("one", 170)]
    [InlineData("one", 360)]
    [InlineData("two", 170)]
    [InlineData("two", 360)]
    public void From_VariantBoundByProcessors_IsNotCompared(string bound, double faster)
    {
        var published = MeasuredExperiment.From(
            [("one", 1, [180, 181], 300), ("two", 2, [faster, faster + 1], 500), ("three", 3, [500, 501], 900)], simulated: false,
            boundByClient: bound).Published!;
        var reason = $"{bound}: this machine's processors set its rate";
        Assert.Equal(2, published.Pairs.Count(pair => pair.Verdict == PairVerdict.NotTestable && pair.Reason == reason));
        Assert.Equal(PairVerdict.Agrees, Assert.Single(published.Pairs, pair => pair.Reason != reason).Verdict);
        Assert.Equal("this machine's processors set its rate", published.Rows.Single(row => row.Variant == bound).NotTestable);
        Assert.Equal(2, published.Compared);
    }

    /// <summary>With the runs that findings leave out, the measured order would be the opposite.</summary>
    [Theory]
    [InlineData("slipped")]
    [InlineData("no overlap")]
    [InlineData("saturated")]
    public void From_RunsThatCountForNoFinding_AreLeftOut(string why)
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180, 181, 179], 300), ("two", 2, [360, 361, 1], 500)], simulated: false,
            figures: (variant, repeat, run) => variant != "two" || repeat != 3 ? run : why switch
            {
                "slipped" => run with { DelaysSlipped = true },
                "no overlap" => run with { RateIsOverlap = false },
                _ => run with { BoundBy = BoundBy.Machine },
            });

        Assert.Equal(PairVerdict.Agrees, Assert.Single(report.Published!.Pairs).Verdict);
        Assert.Equal((2, 360.5), (report.Variants[1].Rate!.Count, Math.Round(report.Variants[1].Rate!.Value, 2)));
        Assert.Equal(3, report.Variants[1].Usable.Count);
    }

    [Fact]
    public void From_VariantWithoutAUsableRun_IsNotComparedButShown()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180, 181], 300), ("two", 2, [360, 361], 500)],
            figures: (variant, _, run) => variant == "two" ? run with { DelaysSlipped = true } : run);
        var pair = Assert.Single(report.Published!.Pairs);
        Assert.Equal(PairVerdict.NotTestable, pair.Verdict);
        Assert.Contains("responses in time", pair.Reason, StringComparison.Ordinal);
        Assert.Equal(360.5, report.Variants[1].Rate!.Value, 1);
    }

    [Fact]
    public void From_SingleRepeat_DecidesNothing()
    {
        var pair = Assert.Single(MeasuredExperiment.From([("one", 1, [180], 300), ("two", 2, [360], 500)]).Published!.Pairs);
        Assert.Equal((PairVerdict.Undecided, "a single repeat has no interval", 2), (pair.Verdict, pair.Reason, pair.Measured));
    }

    [Theory]
    [InlineData(109.9, PairVerdict.Tie)]
    [InlineData(110, PairVerdict.Agrees)]
    public void From_PublishedRatesWithinTenPercent_AreATie(double faster, PairVerdict verdict)
    {
        var report = MeasuredExperiment.From([("one", 1, [180, 181], 100), ("two", 2, [360, 361], faster)], simulated: false);
        Assert.Equal(verdict, Assert.Single(report.Published!.Pairs).Verdict);
    }

    /// <summary>By the parameters, two in flight have twice the rate of one. Only a ratio that they do not predict is evidence.</summary>
    [Theory]
    [InlineData(360, PairVerdict.Assumed, FindingOrigin.Assumed, "give the measured ratio")]
    [InlineData(300, PairVerdict.Assumed, FindingOrigin.Emergent, "so only the factor of 0.83 emerges")]
    [InlineData(100, PairVerdict.Disagrees, FindingOrigin.Emergent, null)]
    public void From_SimulatedPair_IsEvidenceOnlyBeyondWhatTheParametersPredict(
        double faster, PairVerdict verdict, FindingOrigin origin, string? reason)
    {
        var published = MeasuredExperiment.From(
            [("one", 1, [180, 181, 179], 300), ("two", 2, [faster, faster + 1, faster - 1], 500)]).Published!;
        var pair = Assert.Single(published.Pairs);
        Assert.Equal((verdict, origin, 2.0), (pair.Verdict, pair.Origin, pair.Expected));
        Assert.EndsWith(reason ?? "", pair.Reason ?? "", StringComparison.Ordinal);
        Assert.Equal(faster / 360, pair.MeasuredOverExpected!.Value, 0.01);
    }

    [Fact]
    public void From_NothingPublished_IsNull() => Assert.Null(MeasuredExperiment.From([("one", 1, [180], null)]).Published);

    [Fact]
    public void From_OneRate_HasNoCorrelation() =>
        Assert.Null(MeasuredExperiment.From([("one", 1, [180], 3), ("two", 2, [360], null)]).Published!.Spearman);
}
