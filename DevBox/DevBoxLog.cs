namespace ScaleOut.DevBox;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class DevBoxLog
{
    [LoggerMessage(501, LogLevel.Warning, "{Reason}. The leg is run again.")]
    public static partial void LegLost(this ILogger logger, string reason);

    [LoggerMessage(502, LogLevel.Warning, "The stop flag cannot be written ({Reason}): the workers are killed.")]
    public static partial void StopFlagNotWritten(this ILogger logger, string reason);
}
