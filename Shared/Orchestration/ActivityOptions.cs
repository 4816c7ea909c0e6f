namespace ScaleOut.Orchestration;

/// <summary>
/// How often an activity is called again when it fails. Every activity finds what an earlier call of it did, so a second call does no harm.
/// A failure that would come again (<see cref="OrchestrationTaskException.IsDeterministic"/>) is not retried.
/// </summary>
public sealed record ActivityOptions
{
    /// <summary>Calls in all, 1 and more. Default 1: no retry.</summary>
    public int MaxAttempts { get; init; } = 1;

    /// <summary>Time before the second call. Default 2 s.</summary>
    public TimeSpan FirstRetryInterval { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>By what each further interval is longer than the one before, 1 and more. Default 2.</summary>
    public double BackoffCoefficient { get; init; } = 2;

    /// <summary>Longest interval. Default 15 s.</summary>
    public TimeSpan MaxRetryInterval { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// The activity that is called after a failure, so that the history holds a large input only once. Null if the failed activity itself
    /// is called again.
    /// </summary>
    public ActivityRetry? Retry { get; init; }

    /// <summary>For steps before the first write: the user waits for them, so they give up within a minute.</summary>
    public static ActivityOptions WhilePreparing { get; } = new() { MaxAttempts = 5 };

    /// <summary>For steps after the last write, with which all the work would be lost: they go on for about a quarter of an hour.</summary>
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
/// <param name="errorType">Full name of the exception that it threw, such as <c>System.IO.IOException</c>.</param>
/// <param name="message">That exception's message, without the engine's words around it.</param>
/// <param name="innerException">The exception itself, where the engine has it.</param>
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

    /// <summary>Name of the activity or orchestrator.</summary>
    public string TaskName { get; } = taskName;

    /// <summary>Full name of the exception's type.</summary>
    public string ErrorType { get; } = errorType;

    /// <summary>
    /// Whether an error of this type comes again however often the call is repeated, because it says that code or input is wrong.
    /// </summary>
    /// <param name="errorType">Full name of an exception's type.</param>
    public static bool IsDeterministic(string errorType) => Deterministic.Contains(errorType);
}
