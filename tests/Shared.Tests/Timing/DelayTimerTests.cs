namespace ScaleOut.Tests.Shared.Timing;

public sealed class DelayTimerTests
{
    [Fact]
    public async Task DelayAsync_ManyWaits_NoneEndsEarly()
    {
        using var timer = new DelayTimer(TimeProvider.System);

        var lateMs = await Task.WhenAll(Enumerable.Range(0, 500).Select(async i =>
        {
            var ms = 1 + (i % 40 * 0.7);
            var start = Stopwatch.GetTimestamp();
            await timer.DelayAsync(ms);
            return Stopwatch.GetElapsedTime(start).TotalMilliseconds - ms;
        }));

        // The timer may be half a millisecond early, so that the mean is right.
        Assert.All(lateMs, late => Assert.True(late >= -0.51, $"{late}"));
    }

    [Fact]
    public async Task DelayAsync_Sequence_ReusesItsWaits()
    {
        using var timer = new DelayTimer(TimeProvider.System);
        for (var i = 0; i < 50; i++)
            await timer.DelayAsync(1);
    }

    [Fact]
    public void DelayAsync_LessThanHalfATick_IsDoneAtOnce()
    {
        using var timer = new DelayTimer(TimeProvider.System);
        Assert.True(timer.DelayAsync(0).AsTask().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Dispose_WithWaits_EndsThem()
    {
        var timer = new DelayTimer(TimeProvider.System);
        var wait = timer.DelayAsync(600_000).AsTask();
        timer.Dispose();
        await wait.WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);
        Assert.True(timer.DelayAsync(600_000).AsTask().IsCompletedSuccessfully);
    }
}
