namespace ScaleOut.Progress;

/// <summary>The warning that a worker finishes no document although its leg runs.</summary>
internal static class StallWarning
{
    private static readonly TimeSpan Min = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Max = TimeSpan.FromDays(1);

    /// <summary>
    /// How long a worker may finish nothing before there is a warning: at least 5 s, and longer if operations are seldom due.
    /// </summary>
    public static TimeSpan After(RunSpec spec, int worker)
    {
        var due = spec.SettingsOf(worker).Rate is { } rate ? spec.Workload.DocumentsPerOperation / rate : 0;
        double[] seconds = [Min.TotalSeconds, 3 * due, 2 * spec.Workload.ThinkTime.TotalSeconds];
        return TimeSpan.FromSeconds(Math.Min(seconds.Max(), Max.TotalSeconds));
    }

    /// <summary>The text; null if neither an error nor throttling explains why nothing is finished.</summary>
    /// <param name="throttled">Whether attempts were throttled since the last document was finished.</param>
    public static string? TextOf(TimeSpan since, string? lastError, bool throttled)
    {
        var reason = lastError is not null ? $"the last error is {lastError}" : throttled ? "its operations are throttled (429)" : null;
        return reason is null
            ? null
            : $"has finished no document for {since.TotalSeconds:N0} s: {reason}; tried again";
    }
}
