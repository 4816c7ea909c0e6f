using System.Buffers;
using ScaleOut.Simulator.Engine.ChangeFeed;

namespace ScaleOut.Tests.Simulator.Engine.ChangeFeed;

public sealed class ChangeFeedWorkTests
{
    private const uint Week = 7 * 24 * 60 * 60;

    /// <summary>The partition of a killed account begins again at its last stop.</summary>
    [Theory]
    [InlineData(false, 0, true)]
    [InlineData(true, 0, true)]
    [InlineData(false, 1, false)]
    [InlineData(true, 1, false)]
    public void Page_AfterTheLastWrite_IsRefusedIfThereIsNoneSuch(bool hasAllVersions, int ahead, bool isServed)
    {
        using var host = CreateHost();
        var partition = host.Container.Map.Live[0];
        var work = Work(host, hasAllVersions, partition.Lsn + ahead);

        Assert.Equal(isServed, work.TryPrepare());
        if (!isServed)
            AssertRefused(work, "ahead of the partition's last write");
    }

    [Fact]
    public void Page_WhoseChangesAreDroppedBeforeItReadsThem_IsRefused()
    {
        using var host = CreateHost();
        var partition = host.Container.Map.Live[0];
        var work = Work(host, hasAllVersions: true, partition.Lsn);
        Assert.True(work.TryPrepare());
        lock (partition.Gate)
        {
            for (var i = 0; i < 1_000; i++)
            {
                var record = new DocumentRecord { Version = ++partition.Lsn, TimestampSeconds = (uint)i * Week };
                partition.Versions!.Write(in record, "{}"u8, previousLsn: 0);
            }
        }

        work.Execute(TimeProvider.System.GetUtcNow().Ticks);

        AssertRefused(work, "not retained");
    }

    private static void AssertRefused(ChangeFeedWork work, string message)
    {
        Assert.Equal(400, work.Result.Status);
        Assert.Contains(message, work.Result.Message, StringComparison.Ordinal);
    }

    private static QueryHost CreateHost() => new(Enumerable.Range(0, 3).Select(i => $$"""{"id":"{{i}}","pk":"a"}"""));

    private static ChangeFeedWork Work(QueryHost host, bool hasAllVersions, long after) => new()
    {
        Container = host.Container, Output = new ArrayBufferWriter<byte>(), HasAllVersions = hasAllVersions,
        Start = new ChangeFeedStart(after, 0), PageSize = 10,
    };
}
