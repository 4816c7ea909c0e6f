namespace ScaleOut.Orchestration;

/// <summary>Where a durable engine has an orchestration.</summary>
public enum EngineState
{
    /// <summary>Scheduled; nothing of it has run.</summary>
    Pending,

    /// <summary>It goes on, or is suspended.</summary>
    Running,

    /// <summary>It came to its end.</summary>
    Completed,

    /// <summary>It ended with an exception.</summary>
    Failed,

    /// <summary>Somebody ended it by hand.</summary>
    Terminated,
}
