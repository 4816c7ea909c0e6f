namespace ScaleOut.Orchestration;

/// <summary>
/// How often a failed activity is called again. Every activity finds what an earlier call did, so a second call does no harm. A
/// deterministic failure (<see cref="OrchestrationTaskException.IsDeterministic"/>) is not retried.
/// </summary>
public sealed record ActivityOptions
{
    /// <summary>Calls in all, 1 and more. Default 1: no retry.</summary>
    public int MaxAttempts { get; init; } = 1;

    /// <summary>Time before the second call. Default 2 s.</summary>
    public TimeSpan FirstRetryInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Factor between an interval and the one before it, 1 and more. Default 2.</summary>
    public double BackoffCoefficient { get; init; } = 2;

    /// <summary>Longest interval. Default 15 s.</summary>
    public TimeSpan MaxRetryInterval { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// The activity that is called after a failure, so that the history holds a large input only once. Null if the failed activity itself
    /// is called again.
    /// </summary>
    public ActivityRetry? Retry { get; init; }

    /// <summary>For steps before the first write. The user waits for them, so they give up within a minute.</summary>
    public static ActivityOptions WhilePreparing { get; } = new() { MaxAttempts = 5 };

    /// <summary>For steps after the last write. Without them all work is lost, so they retry for about a quarter of an hour.</summary>
    public static ActivityOptions WhileConcluding { get; } = new() { MaxAttempts = 12, MaxRetryInterval = TimeSpan.FromMinutes(2) };
}

/// <summary>An activity that goes on with the input that another one was called with, and kept.</summary>
/// <param name="Name">The activity. It throws an <see cref="InputNotKeptException"/> if the input was not kept.</param>
/// <param name="Input">Says which input it was.</param>
public sealed record ActivityRetry(string Name, object Input);

/// <summary>The input that an activity is to go on with was not kept: it must be sent again.</summary>
public sealed class InputNotKeptException : Exception
{
    public InputNotKeptException()
    {
    }

    public InputNotKeptException(string message)
        : base(message)
    {
    }

    public InputNotKeptException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}

/// <summary>An activity or a child orchestration failed.</summary>
/// <param name="errorType">Full name of the exception's type, such as <c>System.IO.IOException</c>.</param>
/// <param name="message">The exception's message, without text that the engine adds.</param>
/// <param name="innerException">The exception itself, if the engine has it.</param>
public sealed class OrchestrationTaskException(
    string taskName, string errorType, string message, Exception? innerException = null) : Exception(message, innerException)
{
    private static readonly HashSet<string> Deterministic = new(
        new[]
        {
            typeof(ArgumentException), typeof(ArgumentNullException), typeof(ArgumentOutOfRangeException), typeof(EvidenceException),
            typeof(FormatException), typeof(IndexOutOfRangeException), typeof(InputNotKeptException),
            typeof(InvalidCastException), typeof(JsonException), typeof(KeyNotFoundException), typeof(NotSupportedException),
            typeof(NullReferenceException),
        }.Select(type => type.FullName!));

    public string TaskName { get; } = taskName;

    public string ErrorType { get; } = errorType;

    /// <summary>
    /// Whether an error of this type, given by its full name, means that code or input is wrong, so that a retry cannot help.
    /// </summary>
    public static bool IsDeterministic(string errorType) => Deterministic.Contains(errorType);
}
