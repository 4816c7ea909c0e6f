namespace ScaleOut.Tests.Simulator;

/// <summary>A clock that moves only on request.</summary>
internal sealed class ManualTime(DateTimeOffset start) : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public override DateTimeOffset GetUtcNow() => start.AddTicks(GetTimestamp());

    public void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}
