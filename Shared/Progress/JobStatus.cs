namespace ScaleOut.Progress;

/// <summary>What a host knows of a job, whatever its kind.</summary>
public interface IJobStatus
{
    HostedState State { get; }

    /// <summary>Why it could not start or go on, at most ten.</summary>
    IReadOnlyList<string> Reasons { get; }

    /// <summary>Whether the condition holds under which it fails although it is complete; null while that is not known.</summary>
    bool? FailIfHolds { get; }
}

/// <summary>The state of a run or an experiment, for clients of the interface.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<HostedState>))]
public enum HostedState
{
    /// <summary>Waits for its turn.</summary>
    Queued,

    Running,

    /// <summary>It was asked to stop and has not ended yet.</summary>
    Stopping,

    /// <summary>Ended: every document is done and counted, every run is measured.</summary>
    Complete,

    /// <summary>Ended: documents failed, the count differs, or runs are not complete.</summary>
    Incomplete,

    /// <summary>Ended before its end, as asked.</summary>
    Stopped,

    /// <summary>Ended: it could not start or go on.</summary>
    Failed,

    /// <summary>It began, has no end, and nobody runs it: its program was ended.</summary>
    Interrupted,
}

public static class HostedStates
{
    /// <summary>Whether a job in this state has come to an end.</summary>
    public static bool IsEnd(this HostedState state) => state is not (HostedState.Queued or HostedState.Running or HostedState.Stopping);
}
