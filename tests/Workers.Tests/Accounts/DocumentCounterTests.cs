using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class DocumentCounterTests
{
    /// <summary>A replica that is asked alone may lag.</summary>
    [Theory]
    [InlineData(ConsistencyLevel.Session, 2)]
    [InlineData(ConsistencyLevel.Strong, 1)]
    public async Task CountSettledAsync_Consistency_DecidesWhetherASecondCountMustAgree(ConsistencyLevel level, int counts)
    {
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Gateway, new AccountSettings { PhysicalPartitions = 1, Consistency = level });
        await own.Container.AddAsync(new Item { Id = "1", Key = "k" });
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        var target = new ContainerTarget(own.Container.Database.Id, own.Container.Id, "/pk");

        var counting = new DocumentCounter(own.Client, time).CountSettledAsync(target, TestContext.Current.CancellationToken);
        await time.EndAsync(counting, TimeSpan.FromMilliseconds(50));

        Assert.Equal(1, await counting);
        Assert.Equal(counts, own.Account.ReadLedger().Operations.Query.Attempts);
    }
}
