namespace ScaleOut.Api;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class ApiLog
{
    [LoggerMessage(301, LogLevel.Debug, "A client aborted its request.")]
    public static partial void RequestAborted(this ILogger logger, Exception exception);

    // The exception is left out, because its stack trace does not help to find the item.
    [LoggerMessage(302, LogLevel.Warning, "{Method} {Path} failed: {Reason}")]
    public static partial void ItemUnusable(this ILogger logger, string method, PathString path, string reason);

    [LoggerMessage(303, LogLevel.Error, "{Method} {Path} failed.")]
    public static partial void RequestFailed(this ILogger logger, Exception exception, string method, PathString path);

    // The exception is left out, because its stack trace does not help to find the item.
    [LoggerMessage(304, LogLevel.Warning, "The {Kind} '{Id}' has a stored item that cannot be used: {Reason}")]
    public static partial void JobUnusable(this ILogger logger, string kind, string id, string reason);

    [LoggerMessage(305, LogLevel.Error, "The {Kind} '{Id}' could not be started: {Error}")]
    public static partial void JobNotStarted(this ILogger logger, string kind, string id, string error);

    [LoggerMessage(306, LogLevel.Error, "The failed start of the {Kind} '{Id}' could not be recorded.")]
    public static partial void FailureNotRecorded(this ILogger logger, Exception exception, string kind, string id);
}
