namespace ScaleOut.Orchestration;

/// <summary>
/// How often a failed activity is called again. Activities are idempotent, so a second call does no harm. A deterministic failure
/// (<see cref="OrchestrationTaskException.IsDeterministic"/>) is not retried.
/// </summary>
public sealed record ActivityOptions
{
    /// <summary>Maximum number of calls, at least 1. Default 1, which means no retry.</summary>
    public int MaxAttempts { get; init; } = 1;

    /// <summary>Time before the second call. Default 2 s.</summary>
    public TimeSpan FirstRetryInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Factor between an interval and the one before it, at least 1. Default 2.</summary>
    public double BackoffCoefficient { get; init; } = 2;

    /// <summary>Longest interval. Default 15 s.</summary>
    public TimeSpan MaxRetryInterval { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// Another activity to call after a failure, so that the history holds a large input only once. Null to call the failed activity itself
    /// again.
    /// </summary>
    public ActivityRetry? Retry { get; init; }

    /// <summary>For steps before the first write. The user waits for them, so they give up within a minute.</summary>
    public static ActivityOptions WhilePreparing { get; } = new() { MaxAttempts = 5 };

    /// <summary>For steps after the last write. If they fail, all work is lost, so they retry for about a quarter of an hour.</summary>
    public static ActivityOptions WhileConcluding { get; } = new() { MaxAttempts = 12, MaxRetryInterval = TimeSpan.FromMinutes(2) };
}

/// <summary>An activity that continues a failed one with the input that the failed one has stored.</summary>
/// <param name="Name">Name of the activity. It throws an <see cref="InputNotKeptException"/> if the input was not stored.</param>
/// <param name="Input">Identifies the stored input.</param>
public sealed record ActivityRetry(string Name, object Input);

/// <summary>Thrown if the input that an activity is to continue with was not stored, so that it must be sent again.</summary>
public sealed class InputNotKeptException(string message) : Exception(message);
