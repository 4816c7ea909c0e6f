using System.Diagnostics;

namespace ScaleOut.Tests.Shared.Measurement;

public sealed class AnchoredClockTests
{
    private static readonly DateTimeOffset Wall = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);

    [Fact]
    public void UtcOf_TimestampsAroundTheCreation_LieAroundTheWallClock()
    {
        var before = Stopwatch.GetTimestamp();
        var clock = new AnchoredClock(new ManualTime(Wall));
        var after = Stopwatch.GetTimestamp();

        Assert.Equal(Wall, clock.AnchoredAt);
        Assert.True(clock.UtcOf(before) <= Wall, "The clock is ahead of the wall clock.");
        Assert.True(clock.UtcOf(after) >= Wall, "The clock is behind the wall clock.");
        Assert.Equal(TimeSpan.FromSeconds(3), clock.UtcOf(after + (3 * Stopwatch.Frequency)) - clock.UtcOf(after));
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
