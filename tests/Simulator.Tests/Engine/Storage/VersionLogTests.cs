namespace ScaleOut.Tests.Simulator.Engine.Storage;

public sealed class VersionLogTests
{
    private const uint Day = 24 * 60 * 60;

    [Theory]
    [InlineData(0, 1)]
    [InlineData(10, 1)]
    [InlineData(11, 2)]
    [InlineData(19, 10)]
    [InlineData(20, 11)]
    [InlineData(99, 11)]
    public void After_AnyNumber_HasTheLaterWrites(long lsn, int first)
    {
        var log = new VersionLog(10);
        for (var i = 1; i <= 10; i++)
            Write(log, 10 + i, second: 0);
        Assert.Equal(Enumerable.Range(first, 11 - first).Select(i => 10L + i), log.After(lsn).Select(version => version.Lsn));
    }

    [Fact]
    public void Write_AfterAWeek_KeepsTheLastWeekAndAtMostAsManyBefore()
    {
        var log = new VersionLog(1);
        for (var i = 0; i < 10_000; i++)
            Write(log, 2 + i, (uint)i * Day / 100);

        // A week has 700 of these writes.
        Assert.InRange(log.All.Count(), 700, 1_500);
        Assert.Equal(log.All.First().Lsn - 1, log.AfterLsn);
        Assert.Equal(10_001, log.All.Last().Lsn);
    }

    /// <summary>A hundred times the writes of 64 MB keep at most that, and the writes of a batch that may be undone.</summary>
    [Fact]
    public void Write_LargeDocuments_KeepsSoManyBytes()
    {
        const int MegaBytes = 1024 * 1024;
        var (log, body) = (new VersionLog(1), new byte[MegaBytes / 4]);
        for (var i = 0; i < 2_000; i++)
            log.Write(new DocumentRecord { Version = 2 + i }, body, previousLsn: 0);

        Assert.InRange(log.All.Sum(version => (long)version.Body.Length), 32L * MegaBytes, 65L * MegaBytes);
        Assert.Equal((2_001, log.All.First().Lsn - 1), (log.All.Last().Lsn, log.AfterLsn));
        Assert.True(log.All.Count() >= 100);
    }

    [Fact]
    public void RemoveLast_SomeWrites_LeavesTheOthers()
    {
        var log = new VersionLog(1);
        for (var i = 2; i < 6; i++)
            Write(log, i, second: 0);
        log.RemoveLast(3);
        Assert.Equal(2, Assert.Single(log.All).Lsn);
    }

    /// <summary>A script may write more than the log keeps.</summary>
    [Fact]
    public void RemoveLast_MoreThanThereAre_LeavesNone()
    {
        var log = new VersionLog(1);
        Write(log, 2, second: 0);
        log.RemoveLast(3);
        Assert.Empty(log.All);
    }

    [Fact]
    public void JoinLast_SomeWrites_MakesThemOne()
    {
        var log = new VersionLog(1);
        Write(log, 2, second: 0);
        log.Write(new DocumentRecord { Version = 3 }, "{}"u8, previousLsn: 2);
        log.Write(new DocumentRecord { Version = 4 }, "{}"u8, previousLsn: 3);
        log.JoinLast(2);
        Assert.Equal([(2, 2, 0), (3, 4, 2), (4, 4, 4)], log.All.Select(one => (one.Lsn, one.TransactionLsn, one.PreviousLsn)));
    }

    [Fact]
    public void Delete_OfADocument_NamesItsLastWrite()
    {
        var log = new VersionLog(1);
        log.Delete(new DocumentRecord { Version = 5 }, "{}"u8, lsn: 7, second: 3, isExpired: true);
        var version = Assert.Single(log.All);
        Assert.Equal((7, 5, 3, true, true), (version.Lsn, version.PreviousLsn, version.Second, version.IsDeleted, version.IsExpired));
    }

    private static void Write(VersionLog log, long lsn, uint second) =>
        log.Write(new DocumentRecord { Version = lsn, TimestampSeconds = second }, "{}"u8, previousLsn: 0);
}
