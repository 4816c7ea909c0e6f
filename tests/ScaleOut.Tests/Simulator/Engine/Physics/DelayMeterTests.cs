namespace ScaleOut.Tests.Simulator.Engine.Physics;

public sealed class DelayMeterTests
{
    private readonly ManualTime _time = new(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));

    [Fact]
    public void Read_Seconds_HasOnlyTheirResponses()
    {
        using var timer = new DelayTimer(_time);
        var clock = new AccountClock(_time);
        var meter = new DelayMeter(timer, clock);
        var first = AccountClock.UnixSecond(clock.NowTicks);
        Deliver(meter, timer, configuredMs: 4, deliveredMs: 4.9);
        Deliver(meter, timer, configuredMs: 4, deliveredMs: 5.1);
        Deliver(meter, timer, configuredMs: 100, deliveredMs: 109);
        _time.Advance(TimeSpan.FromSeconds(2));
        Deliver(meter, timer, configuredMs: 100, deliveredMs: 111);
        Deliver(meter, timer, configuredMs: 0, deliveredMs: 50);

        var delays = meter.Read();
        Assert.Equal((4L, 2L), (delays.Responses, delays.Slipped));
        var before = meter.Read(NumberSet.From([new NumberRange(first, 2)]));
        var after = meter.Read(NumberSet.From([new NumberRange(first + 2, 1)]));
        Assert.Equal((3L, 1L, 109.0), (before.Responses, before.Slipped, before.Delivered.Max));
        Assert.Equal((1L, 1L, 111.0), (after.Responses, after.Slipped, after.Delivered.Max));
        Assert.Equal(0, meter.Read(NumberSet.Empty).Responses);
        Assert.InRange(before.CpuSeconds!.Value, 0, delays.CpuSeconds!.Value);
        Assert.Equal((100.0, 111.0, 11.0), (delays.Configured.Max, delays.Delivered.Max, delays.Slip.Max));
    }

    [Fact]
    public void Read_NothingDelayed_HasNoQuantiles()
    {
        using var timer = new DelayTimer(_time);
        Assert.Equal(new LatencySummary(), new DelayMeter(timer, new AccountClock(_time)).Read().Slip);
    }

    private void Deliver(DelayMeter meter, DelayTimer timer, double configuredMs, double deliveredMs)
    {
        var delay = new ResponseDelay(timer.Timestamp, configuredMs);
        _time.Advance(TimeSpan.FromMilliseconds(deliveredMs));
        meter.Record(delay);
    }
}
