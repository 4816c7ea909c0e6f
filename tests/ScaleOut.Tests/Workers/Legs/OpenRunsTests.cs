namespace ScaleOut.Tests.Workers.Legs;

public sealed class OpenRunsTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);

    [Theory]
    [InlineData("a", 10, true)]
    [InlineData("b", 0.9, true)]
    [InlineData("b", 1, false)]
    public void Enter_OtherOrSameRun_ClosesOnlyIdleOtherRuns(string next, double idles, bool kept)
    {
        using var runs = new OpenRuns(_time);
        OpenRun first;
        using (var lease = runs.Enter("a"))
            first = lease.Run;
        _time.Advance(OpenRuns.Idle * idles);

        runs.Enter(next).Dispose();

        using var again = runs.Enter("a");
        Assert.Equal(kept, ReferenceEquals(first, again.Run));
    }

    [Fact]
    public void Enter_LegUnderWay_KeepsItsRunHoweverLongItTakes()
    {
        using var runs = new OpenRuns(_time);
        using var first = runs.Enter("a");
        _time.Advance(OpenRuns.Idle * 10);

        runs.Enter("b").Dispose();

        using var second = runs.Enter("a");
        Assert.Same(first.Run, second.Run);
    }
}
