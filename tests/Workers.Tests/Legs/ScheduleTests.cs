namespace ScaleOut.Tests.Workers.Legs;

public sealed class ScheduleTests
{
    private readonly LegClock _clock = new(TimeProvider.System);

    [Fact]
    public async Task WaitForTurn_ClosedLoop_IsNow()
    {
        var before = _clock.Now;
        var schedule = new Schedule(null, 0, _clock);
        Assert.True(await schedule.WaitForTurnAsync(new NumberRange(1_000_000, 1), CancellationToken.None) >= before);
        Assert.Null(schedule.Kept);
    }

    [Fact]
    public async Task WaitForTurn_OpenLoop_StartsNoUnitBeforeItIsDue()
    {
        // Taken before the schedule starts, so that a pause between the two cannot make the unit look early.
        var startedAt = _clock.Now;
        var schedule = new Schedule(documentsPerSecond: 100, firstNumber: 500, _clock);

        var begun = await schedule.WaitForTurnAsync(new NumberRange(510, 1), CancellationToken.None);

        Assert.True(Stopwatch.GetElapsedTime(startedAt, begun!.Value) >= TimeSpan.FromMilliseconds(100));
        Assert.True(schedule.Kept);
    }

    [Fact]
    public async Task WaitForTurn_OpenLoopThatStalled_MeasuresFromTheIntendedStart()
    {
        var schedule = new Schedule(LoadPlan.Steady(1000, int.MaxValue), firstNumber: 0, _clock, elapsedSeconds: 1.1);
        var now = _clock.Now;

        var begun = await schedule.WaitForTurnAsync(new NumberRange(1, 1), CancellationToken.None);

        Assert.True(Stopwatch.GetElapsedTime(begun!.Value, now) >= TimeSpan.FromSeconds(1));
        Assert.False(schedule.Kept);
    }

    [Fact]
    public async Task WaitForTurn_LegCloses_IsNull()
    {
        using var closing = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
        Assert.Null(
            await new Schedule(documentsPerSecond: 0.001, firstNumber: 0, _clock).WaitForTurnAsync(new NumberRange(1, 1), closing.Token));
    }
}
