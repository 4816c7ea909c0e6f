using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Orchestration;

/// <summary>Where a run is on its way.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunPhase>))]
public enum RunPhase
{
    Preparing,
    Running,
    Verifying,
    Reporting,
    CleaningUp,
    Ended,
}
