namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class RankCorrelationTests
{
    [Theory]
    // Intelligence quotients and hours of television of ten people, a textbook example: rho = -29/165.
    [InlineData(
        new double[] { 86, 97, 99, 100, 101, 103, 106, 110, 112, 113 }, new double[] { 2, 20, 28, 27, 50, 29, 7, 17, 6, 12 }, -29 / 165.0)]
    // Equal values share the mean of their ranks. 1, 2.5, 2.5, 4 against 1, 2, 3, 4 give 4.5 / sqrt(4.5 x 5).
    [InlineData(new double[] { 1, 2, 2, 3 }, new double[] { 10, 20, 30, 40 }, 0.948683298050514)]
    [InlineData(new double[] { 1, 2, 3 }, new double[] { 10, 100, 1_000 }, 1)]
    [InlineData(new double[] { 1, 2, 3 }, new double[] { 5, 4, -3 }, -1)]
    [InlineData(new double[] { 0.1, 0.2 }, new double[] { 0.3, 0.4 }, 1)]
    public void Spearman_Pairs_IsTheCorrelationOfTheirRanks(double[] first, double[] second, double expected) =>
        Assert.Equal(expected, RankCorrelation.Spearman(first, second)!.Value, 12);

    [Fact]
    public void Spearman_NothingToCompare_IsNull()
    {
        Assert.Null(RankCorrelation.Spearman([1], [2]));
        Assert.Null(RankCorrelation.Spearman([], []));
        Assert.Null(RankCorrelation.Spearman([1, 1, 1], [1, 2, 3]));
        Assert.Null(RankCorrelation.Spearman([1, 2, 3], [7, 7, 7]));
    }

    [Fact]
    public void Spearman_NoPairsOrNaN_Throws()
    {
        AssertThrows("series of 2 and 1 values make no pairs", [1, 2], [1]);
        AssertThrows("NaN has no rank", [1, double.NaN], [1, 2]);
        AssertThrows("NaN has no rank", [1, 2], [1, double.NaN]);

        static void AssertThrows(string message, double[] first, double[] second) => Assert.StartsWith(
            message, Assert.Throws<ArgumentException>(() => RankCorrelation.Spearman(first, second)).Message, StringComparison.Ordinal);
    }
}
