namespace ScaleOut.Tests.Workers.Accounts;

public sealed class ConsistencyCheckTests
{
    [Fact]
    public void RejectionsOf_NothingAsked_AreNone() =>
        Assert.Empty(ConsistencyCheck.RejectionsOf(new RunSpec(), ConsistencyLevel.Eventual));

    [Fact]
    public void RejectionsOf_Stronger_NameEachPlace()
    {
        var spec = new RunSpec
        {
            Client = new ClientSpec { Consistency = ConsistencyLevel.Strong },
            WorkerOverrides =
            [
                new WorkerOverride { Workers = [0], Client = new ClientSpec { Consistency = ConsistencyLevel.Eventual } },
                new WorkerOverride { Workers = [1], Client = new ClientSpec { Consistency = ConsistencyLevel.BoundedStaleness } },
            ],
        };

        Assert.Equal(
            [
                "client.consistency: Strong is stronger than the account's Session.",
                "workerOverrides[1].client.consistency: BoundedStaleness is stronger than the account's Session.",
            ],
            ConsistencyCheck.RejectionsOf(spec, ConsistencyLevel.Session));
    }

    [Theory]
    [InlineData(ConsistencyLevel.Session)]
    [InlineData(ConsistencyLevel.ConsistentPrefix)]
    [InlineData(ConsistencyLevel.Eventual)]
    public void RejectionsOf_EqualOrWeaker_AreNone(ConsistencyLevel asked) =>
        Assert.Empty(
            ConsistencyCheck.RejectionsOf(new RunSpec { Client = new ClientSpec { Consistency = asked } }, ConsistencyLevel.Session));
}
