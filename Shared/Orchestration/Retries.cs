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

/// <summary>How long orchestrators wait between two calls. Each wait is twice as long as the one before, up to 30 s.</summary>
internal static class OrchestrationWaits
{
    /// <summary>Number of lost attempts at one leg after which the worker gives up.</summary>
    public const int MaxLostInARow = 20;

    /// <summary>Time until a new role assignment holds. The Azure documentation says up to ten minutes.</summary>
    public static readonly TimeSpan MaxForRoles = TimeSpan.FromMinutes(10);

    /// <summary>Time for which all requests for admission may fail before the run ends.</summary>
    public static readonly TimeSpan MaxForAdmission = TimeSpan.FromMinutes(30);

    private const double MaxSeconds = 30;

    /// <summary>Time before a lost leg is run again: none after the first loss, then 1 s, 2 s, 4 s and so on.</summary>
    public static TimeSpan AfterLostLeg(int lostInARow) => lostInARow == 1 ? TimeSpan.Zero : Doubled(lostInARow - 2);

    /// <summary>Time before a run asks again whether it is admitted: 2 s, 4 s and so on.</summary>
    public static TimeSpan ForAdmission(int asked) => Doubled(asked);

    /// <summary>Time before a run repeats a step that its identity has no role for yet: 2 s, 4 s and so on.</summary>
    /// <param name="tried">Number of tries so far, at least 1.</param>
    public static TimeSpan ForRoles(int tried) => Doubled(tried);

    private static TimeSpan Doubled(int times) => TimeSpan.FromSeconds(Math.Min(Math.Pow(2, times), MaxSeconds));
}

/// <summary>An activity that continues a failed one with the input that the failed one has stored.</summary>
/// <param name="Name">Name of the activity. It throws an <see cref="InputNotKeptException"/> if the input was not stored.</param>
/// <param name="Input">Identifies the stored input.</param>
public sealed record ActivityRetry(string Name, object Input);

/// <summary>Thrown if the input that an activity is to continue with was not stored, so that it must be sent again.</summary>
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

/// <summary>
/// Thrown by an activity whose failure stays until somebody changes something, such as a wrong key. It is not called again.
/// </summary>
public sealed class FinalFailureException : Exception
{
    public FinalFailureException()
    {
    }

    public FinalFailureException(string message)
        : base(message)
    {
    }

    public FinalFailureException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}

/// <summary>Thrown if an activity or a child orchestration failed.</summary>
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
            typeof(FinalFailureException), typeof(FormatException), typeof(IndexOutOfRangeException), typeof(InputNotKeptException),
            typeof(InvalidCastException), typeof(JsonException), typeof(KeyNotFoundException), typeof(NotSupportedException),
            typeof(NullReferenceException),
        }.Select(type => type.FullName!));

    public string TaskName { get; } = taskName;

    public string ErrorType { get; } = errorType;

    /// <summary>
    /// Whether an exception of this type means that the code or its input is wrong, so that a retry cannot help. The type is given by its
    /// full name.
    /// </summary>
    public static bool IsDeterministic(string errorType) => Deterministic.Contains(errorType);
}
