namespace ScaleOut.Tests.Shared.Measurement;

public sealed class AnchoredClockTests
{
    private static readonly DateTimeOffset Wall = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);

    [Fact]
    public void UtcOf_TimestampsAroundTheCreation_LieAroundTheWallClock()
    {
        var time = new ShiftedTime(TimeSpan.FromDays(-100));
        var (wall, before) = (time.GetUtcNow(), time.GetTimestamp());
        var clock = new AnchoredClock(time);
        var after = time.GetTimestamp();

        Assert.InRange(clock.AnchoredAt, wall, time.GetUtcNow());
        Assert.True(clock.UtcOf(before) <= clock.AnchoredAt, "The clock is ahead of the wall clock.");
        Assert.True(clock.UtcOf(after) >= clock.AnchoredAt, "The clock is behind the wall clock.");
        Assert.Equal(TimeSpan.FromSeconds(3), clock.UtcOf(after + (3 * time.TimestampFrequency)) - clock.UtcOf(after));
    }

    [Fact]
    public void UtcNow_TimePasses_FollowsTheClockThatItIsGiven()
    {
        var time = new ManualTime(Wall);
        var clock = new AnchoredClock(time);
        var before = time.GetTimestamp();
        time.Advance(TimeSpan.FromHours(2));

        Assert.Equal((Wall, Wall.AddHours(2)), (clock.AnchoredAt, clock.UtcNow));
        Assert.Equal(TimeSpan.FromHours(2), clock.Elapsed(before, time.GetTimestamp()));
    }

    [Fact]
    public void Step_WallClockIsSet_IsTheChange()
    {
        var wall = new ManualTime(Wall);
        var clock = new AnchoredClock(wall);
        wall.Ahead = TimeSpan.FromHours(-1);

        var before = clock.UtcNow;
        var step = clock.Step;
        var after = clock.UtcNow;

        Assert.InRange(step, wall.GetUtcNow() - after, wall.GetUtcNow() - before);
        Assert.True(before >= clock.AnchoredAt, "The clock follows the wall clock.");
    }
}
