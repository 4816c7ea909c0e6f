using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Measuring;

/// <summary>Is shown every attempt of a leg, by many threads at once and between two operations of a lane: it must cost next to nothing and never throw.</summary>
public interface IAttemptObserver
{
    /// <param name="answer">What came of it.</param>
    /// <param name="startedAt">When the operation was handed to the SDK, in the ticks of <see cref="LegClock.Now"/>.</param>
    /// <param name="endedAt">When its answer was there.</param>
    void Observe(in AttemptAnswer answer, long startedAt, long endedAt);
}
