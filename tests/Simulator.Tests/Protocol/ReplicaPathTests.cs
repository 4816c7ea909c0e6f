using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class ReplicaPathTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(4_095, 3)]
    [InlineData(ReplicaPath.Master, 0)]
    public void TryParse_PathOfAnAddress_IsItsReplica(int partition, int replica)
    {
        var address = new Uri(ReplicaPath.Address(1234, 7, partition, replica));
        Assert.True(ReplicaPath.TryParse(Encoding.ASCII.GetBytes(address.AbsolutePath), out var path));
        Assert.Equal(("127.0.0.1", 1234), (address.Host, address.Port));
        Assert.Equal(new ReplicaPath(partition, replica == 0), path);
    }

    [Theory]
    [InlineData("")]
    [InlineData("/apps/x/services/y/partitions/")]
    [InlineData("/apps/x/services/y/partitions//replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/-2/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/1x/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/99999999999/replicas/0p/")]
    [InlineData("/apps/x/services/y/partitions/1/0p/")]
    public void TryParse_NoAddress_IsRejected(string path) => Assert.False(ReplicaPath.TryParse(Encoding.ASCII.GetBytes(path), out _));
}
