using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>One parameter of a query.</summary>
public sealed record QueryParameterSpec
{
    /// <summary>Such as <c>@owner</c>.</summary>
    public required string Name { get; init; }

    /// <summary>JSON of a text, a number or a truth value. Placeholders in a text are those of the document that the number addresses, such as <c>"{{key}}"</c> or <c>"{{field:ownerId}}"</c>.</summary>
    [JsonConverter(typeof(RawJsonConverter))]
    public required string Value { get; init; }
}
