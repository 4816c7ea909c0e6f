namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class RankCorrelationTests
{
    [Fact]
    public void Spearman_TextbookExample_IsItsValue()
    {
        // Intelligence quotients and hours of television of ten people: rho = -29/165.
        double[] quotients = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113];
        double[] hours = [2, 20, 28, 27, 50, 29, 7, 17, 6, 12];
        Assert.Equal(-29 / 165.0, RankCorrelation.Spearman(quotients, hours)!.Value, 12);
    }

    [Fact]
    public void Spearman_Ties_ShareTheMeanOfTheirRanks()
    {
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 x 5).
        Assert.Equal(4.5 / Math.Sqrt(22.5), RankCorrelation.Spearman([1, 2, 2, 3], [10, 20, 30, 40])!.Value, 12);
    }

    [Fact]
    public void Spearman_SameOrOppositeOrder_IsOneOrMinusOne()
    {
        Assert.Equal(1, RankCorrelation.Spearman([1, 2, 3], [10, 100, 1_000])!.Value, 12);
        Assert.Equal(-1, RankCorrelation.Spearman([1, 2, 3], [5, 4, -3])!.Value, 12);
    }

    [Fact]
    public void Spearman_NothingToCompare_IsNull()
    {
        Assert.Null(RankCorrelation.Spearman([1], [2]));
        Assert.Null(RankCorrelation.Spearman([], []));
        Assert.Null(RankCorrelation.Spearman([1, 1, 1], [1, 2, 3]));
    }

    [Fact]
    public void Spearman_NoPairsOrNaN_Throws()
    {
        Assert.Throws<ArgumentException>(() => RankCorrelation.Spearman([1, 2], [1]));
        Assert.Throws<ArgumentException>(() => RankCorrelation.Spearman([1, double.NaN], [1, 2]));
    }
}
