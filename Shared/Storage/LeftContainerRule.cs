namespace ScaleOut.Storage;

/// <summary>
/// When a container that was left may be deleted: an hour after its run ended, or after the run's orchestration was gone.
/// </summary>
public static class LeftContainerRule
{
    /// <summary>
    /// Time in which a run that has ended cleans up by itself, and in which a user may look at what an orchestration that is gone has left.
    /// </summary>
    public static readonly TimeSpan Grace = TimeSpan.FromHours(1);

    /// <summary>Whether it is due.</summary>
    /// <param name="instance">The run's orchestration; null when the engine does not know it, or not any more.</param>
    /// <param name="now">UTC.</param>
    public static bool IsDue(LeftContainer left, EngineInstance? instance, DateTimeOffset now)
    {
        if (instance is { IsAlive: true })
            return false;
        var gone = left.Ended?.At ?? instance?.UpdatedAt ?? left.Run.StartedAt;
        return now - gone >= Grace;
    }
}
