namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class SeededNoiseTests
{
    private const int Draws = 10_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1_000_000)]
    public void NextUniform_NeighbouringSeeds_AreIndependentAtAnyShift(int seed)
    {
        double[] one = Draw((ulong)seed);
        double[] other = Draw((ulong)seed + 1);

        for (int shift = -3; shift <= 3; shift++)
        {
            // The correlation of independent streams has a standard deviation of 0.01.
            Assert.InRange(Correlation(one[Math.Max(0, shift)..], other[Math.Max(0, -shift)..]), -0.06, 0.06);
        }
    }

    [Fact]
    public void NextUniform_SameSeed_GivesTheSameNumbers() => Assert.Equal(Draw(7), Draw(7));

    private static double[] Draw(ulong seed)
    {
        var noise = new SeededNoise(seed);
        return [.. Enumerable.Range(0, Draws).Select(_ => noise.NextUniform())];
    }

    private static double Correlation(double[] one, double[] other) =>
        12 * one.Zip(other, (x, y) => (x - 0.5) * (y - 0.5)).Average();
}
