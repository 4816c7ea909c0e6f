namespace ScaleOut.Tests.Workers.Legs;

public sealed class RunCacheTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);

    [Theory]
    [InlineData("a", 10, true)]
    [InlineData("b", 0.9, true)]
    [InlineData("b", 1, false)]
    public void Enter_OtherOrSameRun_ClosesOnlyIdleOtherRuns(string next, double idles, bool kept)
    {
        using var runs = new RunCache(_time);
        CachedRun first;
        using (var lease = runs.Enter("a"))
            first = lease.Run;
        _time.Advance(RunCache.Idle * idles);

        runs.Enter(next).Dispose();

        using var again = runs.Enter("a");
        Assert.Equal(kept, ReferenceEquals(first, again.Run));
    }

    [Fact]
    public void Enter_LegUnderWay_KeepsItsRunHoweverLongItTakes()
    {
        using var runs = new RunCache(_time);
        using var first = runs.Enter("a");
        _time.Advance(RunCache.Idle * 10);

        runs.Enter("b").Dispose();

        using var second = runs.Enter("a");
        Assert.Same(first.Run, second.Run);
    }
}
