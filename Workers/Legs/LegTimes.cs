namespace ScaleOut.Workers.Legs;

/// <summary>Times within a leg. Its duration is in the spec.</summary>
internal static class LegTimes
{
    /// <summary>How long operations in flight may go on after the leg's time is up.</summary>
    public static readonly TimeSpan Drain = CosmosClientFactory.RequestTimeout;

    /// <summary>
    /// How long operations in flight may go on after the run was stopped. With the polling of the stop flag a leg of a run of up to 200
    /// workers ends within 2 s.
    /// </summary>
    public static readonly TimeSpan DrainWhenStopped = TimeSpan.FromSeconds(0.8);

    /// <summary>How long operation loops may take to end after the drain, before the leg ends without them.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(0.2);

    /// <summary>The leg ends if the account does not respond for this time.</summary>
    public static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    /// <summary>Time for a leg to collect its figures after its operation loops have ended.</summary>
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(30);

    /// <summary>The time after which a leg's measured part must have ended. A leg that takes longer counts as lost.</summary>
    public static TimeSpan DeadlineOf(WorkerAssignment assignment) => assignment.LegDuration + Drain + Grace + Silence + Margin;

    /// <summary>Polling interval of an item that all workers of a run read, if they are few.</summary>
    public static readonly TimeSpan Poll = TimeSpan.FromSeconds(1);

    /// <summary>Reads of one item per second by all workers of a run together. The target of a blob is 500.</summary>
    private const int PollsPerSecond = 200;

    private const double ShortestPoll = 0.5;

    /// <summary>
    /// Time until a worker's next poll: 1 s up to 200 workers. Above it is <c>workers / 200</c> seconds on average, between half of that
    /// and one and a half times, so that the polls of workers that begin together spread.
    /// </summary>
    public static TimeSpan NextPoll(int workers) =>
        workers <= PollsPerSecond ? Poll : MeanPoll(workers) * (ShortestPoll + Random.Shared.NextDouble());

    /// <summary>The longest <see cref="NextPoll"/>.</summary>
    public static TimeSpan LongestPoll(int workers) => workers <= PollsPerSecond ? Poll : MeanPoll(workers) * (ShortestPoll + 1);

    private static TimeSpan MeanPoll(int workers) => TimeSpan.FromSeconds((double)workers / PollsPerSecond);
}
