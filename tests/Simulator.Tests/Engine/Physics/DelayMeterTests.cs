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
        var none = meter.Read(NumberSet.Empty);
        Assert.Equal((0, null, 0), (none.Responses, none.CpuSeconds, none.Seconds));
        Assert.Equal((2, 1, 1), (delays.Seconds, before.Seconds, after.Seconds));
        Assert.Equal((100.0, 9.0), (before.Configured.Max, before.Slip.Max));
        Assert.InRange(before.CpuSeconds!.Value, 0, delays.CpuSeconds!.Value);
        Assert.Equal((100.0, 111.0, 11.0), (delays.Configured.Max, delays.Delivered.Max, delays.Slip.Max));
    }

    [Fact]
    public void Read_NothingDelayed_HasNoQuantiles()
    {
        using var timer = new DelayTimer(_time);
        Assert.Equal(new LatencySummary(), new DelayMeter(timer, new AccountClock(_time)).Read().Slip);
    }

    /// <summary>CPU time of the process counts from the creation of the meter.</summary>
    [Fact]
    public void Read_CpuSeconds_AreThoseOfTheProcessSinceThen()
    {
        var start = Environment.CpuUsage.TotalTime;
        using var timer = new DelayTimer(_time);
        var meter = new DelayMeter(timer, new AccountClock(_time));
        var created = Environment.CpuUsage.TotalTime;
        for (var second = 0; second < 3; second++)
        {
            Deliver(meter, timer, configuredMs: 4, deliveredMs: 4);
            _time.Advance(TimeSpan.FromSeconds(1));
            Burn(TimeSpan.FromMilliseconds(20));
        }

        var least = Environment.CpuUsage.TotalTime - created;
        var cpu = meter.Read().CpuSeconds!.Value;
        Assert.InRange(cpu, least.TotalSeconds, (Environment.CpuUsage.TotalTime - start).TotalSeconds);

        static void Burn(TimeSpan time)
        {
            var until = Environment.CpuUsage.TotalTime + time;
            while (Environment.CpuUsage.TotalTime < until)
            {
            }
        }
    }

    [Fact]
    public void Read_MoreThanTwoHours_CountsAllAndKeepsTheLatestSeconds()
    {
        const int kept = 7_200;
        using var timer = new DelayTimer(_time);
        var clock = new AccountClock(_time);
        var meter = new DelayMeter(timer, clock);
        var first = NumberSet.From([new NumberRange(AccountClock.UnixSecond(clock.NowTicks), 1)]);
        for (var second = 0; second <= kept; second++)
            DeliverInASecond();
        Assert.Equal(1, meter.Read(first).Responses);

        DeliverInASecond();

        Assert.Equal((0, kept + 2, kept + 2), (meter.Read(first).Responses, meter.Read().Responses, meter.Read().Seconds));

        void DeliverInASecond()
        {
            Deliver(meter, timer, configuredMs: 4, deliveredMs: 4);
            _time.Advance(TimeSpan.FromMilliseconds(996));
        }
    }

    private void Deliver(DelayMeter meter, DelayTimer timer, double configuredMs, double deliveredMs)
    {
        var delay = new ResponseDelay(timer.Timestamp, configuredMs);
        _time.Advance(TimeSpan.FromMilliseconds(deliveredMs));
        meter.Record(delay);
    }
}
