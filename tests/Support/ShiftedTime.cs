namespace ScaleOut.Tests.Support;

/// <summary>A wall clock that is wrong by an offset; monotonic time is the machine's own.</summary>
internal sealed class ShiftedTime(TimeSpan offset = default) : TimeProvider
{
    /// <summary>How far this clock is ahead of the machine's.</summary>
    public TimeSpan Offset { get; set; } = offset;

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Offset;
}
