namespace ScaleOut.Http;

/// <summary>What a host says when it is asked to stop a run.</summary>
public enum StopAnswer
{
    /// <summary>The run ends within seconds, or never begins. Asking again changes nothing.</summary>
    Stopping,

    /// <summary>The run has ended.</summary>
    Ended,

    /// <summary>The host has no hand in the run.</summary>
    Unknown,
}
