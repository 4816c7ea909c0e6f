using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Progress;

/// <summary>What a worker is doing.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkerActivity>))]
public enum WorkerActivity
{
    /// <summary>Making and warming its client.</summary>
    Warming,

    /// <summary>Putting the documents that the workload needs.</summary>
    Populating,

    /// <summary>Waiting for the common start.</summary>
    Waiting,

    Running,

    /// <summary>Finishing what is in flight.</summary>
    Draining,

    /// <summary>The leg has ended, and another has not begun; there is none when it ended with the slice done.</summary>
    Ended,
}
