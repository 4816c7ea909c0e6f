using ScaleOut.Analysis.Experiments;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class PublishedOrderTests
{
    [Fact]
    public void From_RatesOfBothKinds_ComparesTheOrderOfEveryPair()
    {
        // By latency alone 1, 2 and 4 in flight are factors of 2 apart; 41 and 40 are a tie.
        var published = MeasuredExperiment.From(
        [
            ("one", 1, [180], 300), ("two", 2, [360], 500), ("four", 4, [350], 900), ("forty", 40, [4_000], 905),
            ("forty-one", 41, [4_100], 2_000), ("no core", 8, [], 1_000),
        ]).Published!;

        Assert.Equal(15, published.Pairs.Count);
        Assert.Equal(PairVerdict.Agrees, Verdict("one", "two"));
        Assert.Equal(PairVerdict.Disagrees, Verdict("two", "four"));
        Assert.Equal(PairVerdict.Tie, Verdict("forty", "forty-one"));
        Assert.Equal(PairVerdict.Tie, Verdict("four", "forty"));
        Assert.Equal(PairVerdict.NotTestable, Verdict("one", "no core"));
        Assert.Contains("the published rates differ by 0.6% only", Pair("four", "forty").Reason, StringComparison.Ordinal);
        Assert.Contains("it needs more cores", Pair("one", "no core").Reason, StringComparison.Ordinal);
        Assert.Equal(5, published.Compared);
        // Ranks 1 2 3 4 5 against 1 3 2 4 5.
        Assert.Equal(0.9, published.Spearman!.Value, precision: 9);
        Assert.Equal(0.6, published.Rows[0].Ratio);

        PublishedPair Pair(string one, string other) =>
            Assert.Single(
                published.Pairs, pair => (pair.Faster, pair.Slower) == (one, other) || (pair.Faster, pair.Slower) == (other, one));
        PairVerdict Verdict(string one, string other) => Pair(one, other).Verdict;
    }

    [Theory]
    [InlineData(170, PairVerdict.NotTestable)]
    [InlineData(195, PairVerdict.NotTestable)]
    [InlineData(200, PairVerdict.Agrees)]
    [InlineData(160, PairVerdict.NotTestable)]
    public void From_FasterOneBoundByItsClients_IsNotTestableUnlessItIsFaster(double faster, PairVerdict verdict)
    {
        var published = MeasuredExperiment.From([("one", 1, [180], 300), ("two", 2, [faster], 500)], boundByClient: "two").Published!;

        var pair = Assert.Single(published.Pairs);
        Assert.Equal(verdict, pair.Verdict);
        Assert.Equal(
            verdict == PairVerdict.NotTestable
                ? "two is bound by the clients or by this machine, at a rate that one reaches without it"
                : null,
            pair.Reason);
    }

    [Fact]
    public void From_SlowerOneBoundByItsClients_IsTestable() =>
        Assert.Equal(
            PairVerdict.Disagrees,
            Assert.Single(
                MeasuredExperiment.From([("one", 1, [180], 300), ("two", 2, [170], 500)], boundByClient: "one").Published!.Pairs).Verdict);

    [Fact]
    public void From_NothingPublished_IsNull() => Assert.Null(MeasuredExperiment.From([("one", 1, [180], null)]).Published);

    [Fact]
    public void From_OneRate_HasNoCorrelation() =>
        Assert.Null(MeasuredExperiment.From([("one", 1, [180], 3), ("two", 2, [360], null)]).Published!.Spearman);
}
