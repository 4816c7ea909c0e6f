using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Findings;

/// <summary>What the measurements say of a claim.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingVerdict>))]
public enum FindingVerdict
{
    /// <summary>The claim is shown.</summary>
    Supported,

    /// <summary>The claim's opposite is shown.</summary>
    Refuted,

    /// <summary>Neither is shown: the interval straddles the claim, or there is none.</summary>
    Inconclusive,

    /// <summary>The runs cannot say anything about the claim, see <see cref="FindingResult.Reason"/>.</summary>
    NotTested,
}
