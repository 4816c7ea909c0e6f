namespace ScaleOut.Orchestration;

/// <summary>
/// Thrown by an activity whose failure stays until somebody changes something, such as a wrong key. It is not called again.
/// </summary>
public sealed class FinalFailureException(string message, Exception innerException) : Exception(message, innerException);

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

    /// <summary>An SDK may have thrown these because of a race of its own, so one more try is worth it.</summary>
    private static readonly HashSet<string> MaybeOfAnSdk =
        [typeof(KeyNotFoundException).FullName!, typeof(NullReferenceException).FullName!];

    public string TaskName { get; } = taskName;

    public string ErrorType { get; } = errorType;

    /// <summary>
    /// Whether an exception of this type means that the code or its input is wrong, so that a retry cannot help. The type is given by its
    /// full name.
    /// </summary>
    /// <param name="failuresBefore">
    /// Number of failures in a row before this one. The first failure with an error that may be one of an SDK is not final.
    /// </param>
    public static bool IsDeterministic(string errorType, int failuresBefore = 1) =>
        Deterministic.Contains(errorType) && (failuresBefore > 0 || !MaybeOfAnSdk.Contains(errorType));
}
