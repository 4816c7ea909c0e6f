using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Http;

/// <summary>Where a run is, for clients of the interface.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<HostedState>))]
public enum HostedState
{
    /// <summary>Waits for its turn.</summary>
    Queued,

    Running,

    /// <summary>It was asked to stop and has not ended yet.</summary>
    Stopping,

    /// <summary>Ended: every document is done and counted.</summary>
    Complete,

    /// <summary>Ended: documents failed, or the count differs.</summary>
    Incomplete,

    /// <summary>Ended before its end, as asked.</summary>
    Stopped,

    /// <summary>Ended: it could not start or go on.</summary>
    Failed,

    /// <summary>It began, has no end, and nobody runs it: its program was ended.</summary>
    Interrupted,
}
