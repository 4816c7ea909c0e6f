namespace ScaleOut.Workers;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class WorkersLog
{
    [LoggerMessage(201, LogLevel.Warning, "{What} is tried again: {Reason}")]
    public static partial void CallRetried(this ILogger logger, string what, string reason);

    [LoggerMessage(202, LogLevel.Warning, "{Found} The leg is run again.")]
    public static partial void LegItemsDamaged(this ILogger logger, string found);
}
