namespace ScaleOut.Tests.Shared.Specs;

public sealed class SimulationSpecTests
{
    [Theory]
    // One for every 6,000 RU/s, up to 32.
    [InlineData(400, false, 1)]
    [InlineData(6_000, false, 1)]
    [InlineData(6_100, false, 2)]
    [InlineData(60_000, false, 10)]
    [InlineData(192_000, false, 32)]
    [InlineData(10_000_000, false, 32)]
    // With autoscale one for every 10,000 RU/s of the maximum.
    [InlineData(1_000, true, 1)]
    [InlineData(10_000, true, 1)]
    [InlineData(11_000, true, 2)]
    [InlineData(60_000, true, 6)]
    [InlineData(1_000_000, true, 32)]
    public void PartitionsFor_NumberLeftOut_FollowsTheThroughput(int throughput, bool autoscale, int partitions) => Assert.Equal(
        partitions, new SimulationSpec().PartitionsFor(new ContainerSpec { Throughput = throughput, Autoscale = autoscale }));

    [Fact]
    public void PartitionsFor_NumberGiven_IsThatNumber() =>
        Assert.Equal(2_000, new SimulationSpec { PhysicalPartitions = 2_000 }.PartitionsFor(new ContainerSpec { Throughput = 400 }));
}
