using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>Why a worker ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkerEnd>))]
public enum WorkerEnd
{
    /// <summary>Its slice is done.</summary>
    Done,

    /// <summary>The run was stopped.</summary>
    Stopped,

    /// <summary>It could not go on.</summary>
    Failed,
}
