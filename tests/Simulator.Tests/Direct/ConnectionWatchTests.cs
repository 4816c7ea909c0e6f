using ScaleOut.Simulator.Direct;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class ConnectionWatchTests
{
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);
    private readonly ConnectionWatch _watch;

    public ConnectionWatchTests() => _watch = new ConnectionWatch(_time);

    [Fact]
    public void Overdue_NoHandshake_TimesOutAfter15Seconds() => AssertOverdue(TimeSpan.FromSeconds(15), "the handshake timed out");

    [Fact]
    public void Overdue_PartOfAFrame_TimesOutAfterHalfAMinute()
    {
        _watch.Established();
        _time.Advance(TimeSpan.FromMinutes(20));
        _watch.Heard(isInFrame: true);
        AssertOverdue(TimeSpan.FromSeconds(30), "it stalled in the middle of a frame");
    }

    [Fact]
    public void Overdue_ResponseNotTaken_TimesOutAfterHalfAMinuteUntilItIsSent()
    {
        _watch.Established();
        _watch.Sending();
        AssertOverdue(TimeSpan.FromSeconds(30), "the client does not take its responses");
        _watch.Sent();
        Assert.Null(_watch.Overdue());
    }

    [Fact]
    public void Overdue_Idle_TimesOutAfterHalfAnHourSinceTheLastFrame()
    {
        _watch.Established();
        _time.Advance(TimeSpan.FromMinutes(20));
        _watch.Heard(isInFrame: false);
        AssertOverdue(TimeSpan.FromMinutes(30), "the idle timeout expired");
    }

    private void AssertOverdue(TimeSpan timeout, string reason)
    {
        _time.Advance(timeout);
        Assert.Null(_watch.Overdue());
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(reason, _watch.Overdue());
    }
}
