using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class LatencyModelTests
{
    [Theory]
    [InlineData(true, ConnectionMode.Gateway, 3.3, 4)]
    [InlineData(false, ConnectionMode.Gateway, 3.3, 1.5)]
    [InlineData(true, ConnectionMode.Direct, 1.3, 4)]
    public void NextMs_SameRegion_IsTheWayAndALogNormalServiceTime(bool write, ConnectionMode mode, double wayMs, double medianMs)
    {
        var model = new LatencyModel(LatencyProfile.SameRegion, new SeededNoise(1));

        double[] service = [.. Enumerable.Range(0, 50_000).Select(_ => model.NextMs(write, served: true, mode) - wayMs).Order()];

        Assert.InRange(service[25_000] / medianMs, 0.98, 1.02);
        Assert.InRange(service[49_500] / medianMs, 2.15, 2.35);
        Assert.InRange(service[500] / medianMs, 1 / 2.35, 1 / 2.15);
    }

    [Fact]
    public void NextMs_TurnedAway_TakesTheWayOnly() =>
        Assert.Equal(
            3.3, new LatencyModel(LatencyProfile.SameRegion, new SeededNoise(1)).NextMs(write: true, served: false, ConnectionMode.Gateway),
            9);

    [Fact]
    public void NextMs_None_IsZero() =>
        Assert.Equal(
            0, new LatencyModel(LatencyProfile.None, new SeededNoise(1)).NextMs(write: true, served: true, ConnectionMode.Gateway));

    [Fact]
    public void NextMs_SameSeed_GivesTheSameLatencies()
    {
        var first = new LatencyModel(LatencyProfile.CrossRegion, new SeededNoise(5));
        var second = new LatencyModel(LatencyProfile.CrossRegion, new SeededNoise(5));

        for (int i = 0; i < 100; i++)
            Assert.Equal(first.NextMs(true, true, ConnectionMode.Gateway), second.NextMs(true, true, ConnectionMode.Gateway));
    }
}
