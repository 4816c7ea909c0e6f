using MathNet.Numerics.Distributions;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class StudentQuantileTests
{
    /// <summary>Few degrees of freedom at a high confidence reach beyond 800, where the library's own search has no result.</summary>
    [Theory]
    [InlineData(0.5)]
    [InlineData(1)]
    [InlineData(1.3)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(30)]
    [InlineData(5_000)]
    [InlineData(1e6)]
    public void At_AnyConfidence_IsTheInverseOfTheDistribution(double freedom)
    {
        foreach (var beyond in new[] { 0.999, 0.5, 0.1, 0.05, 1e-3, 1e-5, 1e-7, 1e-9 })
        {
            var confidence = 1 - beyond;
            var reach = StudentQuantile.At(freedom, confidence);
            Assert.Equal(1, 2 * StudentT.CDF(0, 1, freedom, -reach) / (1 - confidence), 1e-7);
        }
    }

    /// <summary>Values of printed tables.</summary>
    [Theory]
    [InlineData(1, 0.95, 12.7062)]
    [InlineData(4, 0.95, 2.776445)]
    [InlineData(8, 0.90, 1.859548)]
    [InlineData(30, 0.99, 2.749996)]
    public void At_RowOfATable_IsItsValue(double freedom, double confidence, double expected) =>
        Assert.Equal(expected, StudentQuantile.At(freedom, confidence), 0.5e-4);

    [Fact]
    public void At_OneDegreeOfFreedom_IsTheKnownOne() => Assert.Equal(1 / Math.Tan(Math.PI * 5e-10), StudentQuantile.At(1, 1 - 1e-9), 1e3);
}
