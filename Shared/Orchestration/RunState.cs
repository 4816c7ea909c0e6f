namespace ScaleOut.Orchestration;

[JsonConverter(typeof(CamelCaseEnumConverter<RunState>))]
public enum RunState
{
    /// <summary>Every document is done, and the container's own count rose by exactly that number.</summary>
    Complete,

    /// <summary>The run reached its end, but documents failed or are missing, or the count differs.</summary>
    Incomplete,

    Stopped,

    /// <summary>The run could not start, or workers could not go on.</summary>
    Failed,
}

/// <summary>The present step of a run.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunPhase>))]
public enum RunPhase
{
    /// <summary>The run waits for other runs, because there are not enough instances.</summary>
    Queued,

    Preparing,

    /// <summary>The run waits for the roles of its identity. A new role assignment takes effect within ten minutes.</summary>
    WaitingForRoles,

    Running,
    Verifying,
    Reporting,
    CleaningUp,
    Ended,
}

/// <summary>What a worker is doing, or how it ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkerState>))]
public enum WorkerState
{
    /// <summary>The worker has not reported yet.</summary>
    Starting,

    /// <summary>Creating and warming its client.</summary>
    Warming,

    /// <summary>Writing the documents that the workload needs.</summary>
    Preloading,

    /// <summary>Waiting for the common start.</summary>
    Waiting,

    Running,

    /// <summary>Finishing the operations in flight.</summary>
    Draining,

    /// <summary>The leg has ended. Only its last message says so: the worker is then done, stopped, failed or restarting.</summary>
    Ended,

    /// <summary>The leg has ended or was lost, and the next attempt or leg has not begun.</summary>
    Restarting,

    /// <summary>The worker's slice is done, or the last step of its load is over.</summary>
    Done,

    Stopped,

    /// <summary>The worker could not go on.</summary>
    Failed,
}
