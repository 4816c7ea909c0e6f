using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Analysis.Findings;

/// <summary>Where the effect of a finding comes from, and so what a verdict on it can be about.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingOrigin>))]
public enum FindingOrigin
{
    /// <summary>
    /// From a parameter of the simulated account, such as the gateway's hop: measuring it shows that the parameter has its effect, and
    /// nothing of any real account. There is no verdict (<see cref="FindingVerdict.Assumed"/>).
    /// </summary>
    Assumed,

    /// <summary>
    /// From the real SDK and client code, protocols, queues and cores against the simulated account: a verdict on this client under those
    /// physics.
    /// </summary>
    Emergent,

    /// <summary>From a real account or an emulator: a verdict on that account.</summary>
    Measured,
}
