namespace ScaleOut.Tests.Shared.Specs;

public class RunIdsTests
{
    [Fact]
    public void New_ManyInOneSecond_AreValidAndOrderedByTime()
    {
        var now = new DateTimeOffset(2026, 11, 21, 18, 4, 12, TimeSpan.FromHours(1));
        var id = RunIds.New(now);

        Assert.StartsWith("r-20261121-170412-", id, StringComparison.Ordinal);
        Assert.NotNull(RunSpecReader.Check(new RunSpec { Id = id }).Value);
        Assert.True(string.CompareOrdinal(id, RunIds.New(now.AddSeconds(1))) < 0);
        Assert.True(Enumerable.Range(0, 50).Select(_ => RunIds.New(now)).Distinct().Count() > 10);
    }
}
