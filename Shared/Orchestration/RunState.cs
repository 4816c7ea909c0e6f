using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>How a run ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunState>))]
public enum RunState
{
    /// <summary>Every document is done, and the container's own count rose by exactly what was asked.</summary>
    Complete,

    /// <summary>It came to its end, but documents failed or the count differs.</summary>
    Incomplete,

    /// <summary>It was stopped before its end.</summary>
    Stopped,

    /// <summary>It could not start, or workers could not go on.</summary>
    Failed,
}
