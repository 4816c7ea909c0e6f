using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>Where a run is on its way.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunPhase>))]
public enum RunPhase
{
    /// <summary>It waits for other runs, because there are not instances for all of them.</summary>
    Queued,

    Preparing,
    Running,
    Verifying,
    Reporting,
    CleaningUp,
    Ended,
}
