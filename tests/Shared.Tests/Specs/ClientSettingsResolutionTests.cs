namespace ScaleOut.Tests.Shared.Specs;

public sealed class ClientSettingsResolutionTests
{
    [Theory]
    [InlineData(WorkloadKind.Insert, 20)]
    [InlineData(WorkloadKind.Upsert, 20)]
    [InlineData(WorkloadKind.Batch, 20)]
    [InlineData(WorkloadKind.Bulk, 1_000)]
    public void SettingsOf_NoConcurrencyGiven_DependsOnTheWorkload(WorkloadKind kind, int concurrency) =>
        Assert.Equal(concurrency, new RunSpec { Workload = new WorkloadSpec { Kind = kind } }.SettingsOf(0).Concurrency);

    [Fact]
    public void SettingsOf_SeveralOverrides_AppliesThemInOrder()
    {
        var spec = new RunSpec
        {
            Client = new()
            {
                Concurrency = 5, MaxConnections = 9, Consistency = ConsistencyLevel.Eventual, ContentResponseOnWrite = true,
                MaxRequestsPerConnection = 8, IdleConnectionTimeout = TimeSpan.FromHours(1), RequestTimeout = TimeSpan.FromSeconds(3),
                Priority = RequestPriority.Low, ThroughputBucket = 2, PreferredRegion = "West Europe",
            },
            WorkerOverrides =
            [
                new() { Workers = [0, 1], Client = new() { Concurrency = 6, Rate = 10, Priority = RequestPriority.High } },
                new()
                {
                    Workers = [1],
                    Client = new() { Concurrency = 7, ConnectionMode = ConnectionMode.Gateway, ContentResponseOnWrite = false },
                },
            ],
        };
        var plain = new ClientSettings
        {
            ConnectionMode = ConnectionMode.Direct, Concurrency = 5, MaxConnections = 9, Consistency = ConsistencyLevel.Eventual,
            ContentResponseOnWrite = true, MaxRequestsPerConnection = 8, IdleConnectionTimeout = TimeSpan.FromHours(1),
            RequestTimeout = TimeSpan.FromSeconds(3), Priority = RequestPriority.Low, ThroughputBucket = 2, PreferredRegion = "West Europe",
        };
        var high = plain with { Priority = RequestPriority.High, Rate = 10 };

        Assert.Equal(high with { Concurrency = 6 }, spec.SettingsOf(0));
        Assert.Equal(
            high with { Concurrency = 7, ConnectionMode = ConnectionMode.Gateway, ContentResponseOnWrite = false }, spec.SettingsOf(1));
        Assert.Equal(plain, spec.SettingsOf(2));
    }
}
