namespace ScaleOut.Tests.Shared.Specs;

public sealed class SimulationSpecTests
{
    [Theory]
    [InlineData(400, 1)]
    [InlineData(6_000, 1)]
    [InlineData(6_100, 2)]
    [InlineData(60_000, 10)]
    [InlineData(192_000, 32)]
    [InlineData(10_000_000, 32)]
    public void PartitionsFor_NumberLeftOut_IsOneForEvery6000RequestUnitsUpTo32(int throughput, int partitions) =>
        Assert.Equal(partitions, new SimulationSpec().PartitionsFor(new ContainerSpec { Throughput = throughput }));

    [Theory]
    [InlineData(1_000, 1)]
    [InlineData(10_000, 1)]
    [InlineData(11_000, 2)]
    [InlineData(60_000, 6)]
    [InlineData(1_000_000, 32)]
    public void PartitionsFor_Autoscale_IsOneForEvery10000OfTheMaximum(int throughput, int partitions) =>
        Assert.Equal(partitions, new SimulationSpec().PartitionsFor(new ContainerSpec { Throughput = throughput, Autoscale = true }));

    [Fact]
    public void PartitionsFor_NumberGiven_IsThatNumber() =>
        Assert.Equal(2_000, new SimulationSpec { PhysicalPartitions = 2_000 }.PartitionsFor(new ContainerSpec { Throughput = 400 }));
}
