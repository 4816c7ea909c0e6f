namespace ScaleOut.Orchestrator;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class OrchestratorLog
{
    [LoggerMessage(401, LogLevel.Error, "{Method} {Path} failed.")]
    public static partial void RequestFailed(this ILogger logger, Exception exception, string method, PathString path);

    [LoggerMessage(402, LogLevel.Warning, "The Functions host at {Host} has exited, so its worker exits too.")]
    public static partial void HostGone(this ILogger logger, Uri host);

    [LoggerMessage(403, LogLevel.Error, "The orchestration of run {RunId} has ended, or never began, and the run has no report.")]
    public static partial void RunLost(this ILogger logger, string runId);

    [LoggerMessage(404, LogLevel.Information, "{Line}")]
    public static partial void ContainersSwept(this ILogger logger, string line);

    [LoggerMessage(405, LogLevel.Warning, "A message of the queue {Queue} cannot be read and went to {PoisonQueue}: {Length} characters")]
    public static partial void MessageUnreadable(this ILogger logger, string queue, string poisonQueue, int length);

    [LoggerMessage(406, LogLevel.Warning, "{Trouble}")]
    public static partial void ProgressNotSent(this ILogger logger, string trouble);

    [LoggerMessage(407, LogLevel.Information, "The history of {Count} orchestrations that began more than {Days} days ago was purged.")]
    public static partial void HistoryPurged(this ILogger logger, int count, int days);

    // The exception is left out, because its stack trace does not help to find the item.
    [LoggerMessage(408, LogLevel.Warning, "{Method} {Path} failed: {Reason}")]
    public static partial void ItemUnusable(this ILogger logger, string method, PathString path, string reason);
}
