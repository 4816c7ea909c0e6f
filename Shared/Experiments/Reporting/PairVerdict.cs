using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Experiments.Reporting;

/// <summary>Whether two variants come in the published order.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<PairVerdict>))]
public enum PairVerdict
{
    /// <summary>Measured in the published order.</summary>
    Agrees,

    /// <summary>Measured in the opposite order.</summary>
    Disagrees,

    /// <summary>Too near to each other to have an order, by the plan's physics or as published.</summary>
    Tie,

    /// <summary>Not measured, or bound by the same clients or machine.</summary>
    NotTestable,
}
