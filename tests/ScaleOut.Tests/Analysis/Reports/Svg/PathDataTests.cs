using ScaleOut.Analysis.Charts;

namespace ScaleOut.Tests.Analysis.Reports.Svg;

public sealed class PathDataTests
{
    [Fact]
    public void Steps_EqualNeighbours_AreOneStep() => Assert.Equal("M0,5H20V7H30", PathData.Steps([0, 10, 20, 30], [5, 5, 7]));

    [Fact]
    public void Between_TwoOutlines_GoesThereAndBack() =>
        Assert.Equal("M0,1H10V2H20L20,9H10V8H0Z", PathData.Between([0, 10, 20], [8, 9], [1, 2]));

    [Fact]
    public void Line_Points_AreRoundedToTenths() => Assert.Equal("M0.1,2L3,4.6", PathData.Line([(0.12, 2), (3, 4.56)]));
}
