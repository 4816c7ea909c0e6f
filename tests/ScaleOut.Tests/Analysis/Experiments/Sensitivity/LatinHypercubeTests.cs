using ScaleOut.Analysis.Experiments.Sensitivity;

namespace ScaleOut.Tests.Analysis.Experiments.Sensitivity;

public sealed class LatinHypercubeTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(3, 2)]
    [InlineData(15, 40)]
    public void Draw_AnySize_CoversEachPartOfEachRangeOnce(int dimensions, int draws)
    {
        var hypercube = LatinHypercube.Draw(dimensions, draws, seed: 7);

        Assert.Equal(draws, hypercube.Count);
        Assert.All(hypercube, draw => Assert.Equal(dimensions, draw.Count));
        Assert.All(Enumerable.Range(0, dimensions), dimension => Assert.Equal(
            Enumerable.Range(0, draws), hypercube.Select(draw => (int)Math.Floor(draw[dimension] * draws)).Order()));
    }

    [Fact]
    public void Draw_SameSeed_IsTheSame()
    {
        Assert.Equal(LatinHypercube.Draw(4, 10, seed: 3), LatinHypercube.Draw(4, 10, seed: 3));
        Assert.NotEqual(LatinHypercube.Draw(4, 10, seed: 3), LatinHypercube.Draw(4, 10, seed: 4));
    }
}
