namespace ScaleOut.Tests.Analysis.Charts;

public sealed class TimeBinsTests
{
    [Fact]
    public void Means_FewSeconds_AreTheSeconds() => Assert.Equal([1, 2, 3], new TimeBins(3, 10).Means([0, 1, 2], [1, 2, 3]));

    [Fact]
    public void Means_ManySeconds_AreDrawnTogetherWithAShortLastBin()
    {
        var bins = new TimeBins(seconds: 5, maxBins: 3);
        Assert.Equal((3, 2), (bins.Count, bins.SecondsPerBin));
        Assert.Equal([1.5, 3.5, 9], bins.Means([0, 1, 2, 3, 4], [1, 2, 3, 4, 9]));
        Assert.Equal([1.5, 0, 9], bins.Means([1, 4], [3, 9]));
        Assert.Equal([0, 2, 4, 5], Enumerable.Range(0, 4).Select(bins.Start));
    }
}
