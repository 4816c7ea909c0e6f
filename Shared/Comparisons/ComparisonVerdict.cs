using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Comparisons;

/// <summary>Whether two figures differ.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ComparisonVerdict>))]
public enum ComparisonVerdict
{
    /// <summary>The 95% interval of their ratio does not hold 1.</summary>
    Differs,

    /// <summary>The 95% interval holds 1: what there is of a difference is noise.</summary>
    Noise,

    /// <summary>There is no interval to tell.</summary>
    NotKnown,
}
