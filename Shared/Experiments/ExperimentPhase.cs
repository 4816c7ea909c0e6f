using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Experiments;

/// <summary>Where an experiment is on its way.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ExperimentPhase>))]
public enum ExperimentPhase
{
    Running,
    Reporting,
    Ended,
}
