namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class AccountClockTests
{
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(15);
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly ManualTime _time = new(Start);

    [Theory]
    [InlineData(0, 0, 1_767_225_600)]
    [InlineData(0, 9_999_999, 1_767_225_600)]
    [InlineData(1, 0, 1_767_225_601)]
    public void UnixSecond_AnyTicks_IsTheWholeSecond(double seconds, long ticks, long unixSecond) =>
        Assert.Equal(unixSecond, AccountClock.UnixSecond(Start.AddSeconds(seconds).AddTicks(ticks).UtcTicks));

    [Fact]
    public void NowTicks_MachineClockIsSet_GoesOnWithoutAStep()
    {
        var clock = new AccountClock(_time);
        _time.Ahead = TimeSpan.FromHours(3);
        _time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(Start.AddSeconds(2).UtcTicks, clock.NowTicks);
    }

    [Fact]
    public void MayHaveSignedAt_MachineClockAsItWas_AcceptsTheToleranceOnBothSides()
    {
        var clock = new AccountClock(_time);
        _time.Advance(TimeSpan.FromHours(1));
        var now = Start.AddHours(1);

        Assert.All([TimeSpan.Zero, Tolerance, -Tolerance], off => Assert.True(MayHaveSigned(clock, now + off)));
        Assert.False(MayHaveSigned(clock, now + Tolerance + TimeSpan.FromTicks(1)));
        Assert.False(MayHaveSigned(clock, now - Tolerance - TimeSpan.FromTicks(1)));
    }

    [Fact]
    public void MayHaveSignedAt_MachineClockWasSet_AcceptsTheTimeAfterAndBeforeTheLastChange()
    {
        var clock = new AccountClock(_time);
        var (first, second, third) = (Start, Start.AddHours(1), Start.AddHours(-2));

        _time.Ahead = TimeSpan.FromHours(1);
        Assert.True(MayHaveSigned(clock, second), "By the clock that was set.");
        Assert.True(MayHaveSigned(clock, first), "By the clock before.");
        Assert.False(MayHaveSigned(clock, third), "By no clock so far.");

        // Corrections of a second are no change.
        _time.Ahead = TimeSpan.FromHours(1) + TimeSpan.FromSeconds(1);
        Assert.True(MayHaveSigned(clock, second), "By the corrected clock.");
        Assert.True(MayHaveSigned(clock, first), "The correction was taken for a change.");

        _time.Ahead = TimeSpan.FromHours(-2);
        Assert.True(MayHaveSigned(clock, third), "By the clock that was set again.");
        Assert.True(MayHaveSigned(clock, second), "By the clock before.");
        Assert.False(MayHaveSigned(clock, first), "By the clock before the last two changes.");
    }

    [Fact]
    public void SecondsSinceFirstOperation_SeveralCalls_CountFromTheFirst()
    {
        var clock = new AccountClock(_time);
        _time.Advance(TimeSpan.FromSeconds(50));
        Assert.Equal(0, clock.SecondsSinceFirstOperation());
        _time.Advance(TimeSpan.FromSeconds(2.5));
        Assert.Equal(2.5, clock.SecondsSinceFirstOperation());
    }

    private static bool MayHaveSigned(AccountClock clock, DateTimeOffset at) => clock.MayHaveSignedAt(at.UtcDateTime, Tolerance);
}
