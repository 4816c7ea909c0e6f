namespace ScaleOut;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class SharedLog
{
    [LoggerMessage(101, LogLevel.Error, "The orchestration of the workers {First} to {Last} failed: {Reason}")]
    public static partial void GroupFailed(this ILogger logger, int first, int last, string reason);

    [LoggerMessage(102, LogLevel.Error, "The orchestration of worker {Worker} failed: {Reason}")]
    public static partial void WorkerFailed(this ILogger logger, int worker, string reason);

    [LoggerMessage(103, LogLevel.Warning, "Leg {Leg} of worker {Worker} was lost ({Times} in a row): {Reason}")]
    public static partial void LegLost(this ILogger logger, int leg, int worker, int times, string reason);
}
