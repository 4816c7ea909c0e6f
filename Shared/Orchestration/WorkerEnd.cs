using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>Why a worker ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkerEnd>))]
public enum WorkerEnd
{
    /// <summary>Its slice is done, or the last step of its load is over.</summary>
    Done,

    /// <summary>The run was stopped.</summary>
    Stopped,

    /// <summary>It could not go on.</summary>
    Failed,
}
