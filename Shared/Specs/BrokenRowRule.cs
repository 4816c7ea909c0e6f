using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>What becomes of a run whose CSV file has broken rows.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<BrokenRowRule>))]
public enum BrokenRowRule
{
    /// <summary>It does not start; the refusal names the lines.</summary>
    Stop,

    /// <summary>It goes on without them; a warning names the lines and how many there are.</summary>
    Skip,
}
