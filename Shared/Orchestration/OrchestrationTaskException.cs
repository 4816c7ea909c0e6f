using System.Text.Json;
using ScaleOut.Evidence;

namespace ScaleOut.Orchestration;

/// <summary>An activity or a child orchestration failed.</summary>
/// <param name="taskName">Its name.</param>
/// <param name="errorType">Full name of the exception that it threw, such as <c>System.IO.IOException</c>.</param>
/// <param name="message">That exception's message, without the engine's words around it.</param>
/// <param name="innerException">The exception itself, where the engine has it.</param>
public sealed class OrchestrationTaskException(string taskName, string errorType, string message, Exception? innerException = null) : Exception(message, innerException)
{
    private static readonly HashSet<string> Deterministic = new(
        new[]
        {
            typeof(ArgumentException), typeof(ArgumentNullException), typeof(ArgumentOutOfRangeException), typeof(EvidenceException),
            typeof(FormatException), typeof(IndexOutOfRangeException),
            typeof(InvalidCastException), typeof(JsonException), typeof(KeyNotFoundException), typeof(NotSupportedException), typeof(NullReferenceException),
        }.Select(type => type.FullName!));

    /// <summary>Name of the activity or orchestrator.</summary>
    public string TaskName { get; } = taskName;

    /// <summary>Full name of the exception's type.</summary>
    public string ErrorType { get; } = errorType;

    /// <summary>Whether an error of this type comes again however often the call is repeated, because it says that code or input is wrong.</summary>
    /// <param name="errorType">Full name of an exception's type.</param>
    public static bool IsDeterministic(string errorType) => Deterministic.Contains(errorType);
}
