using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Json;

/// <summary>Writes an enum's names in camelCase, such as <c>perfTest</c>; the other enums keep the spelling of the Cosmos SDK, such as <c>Gateway</c>.</summary>
public sealed class CamelCaseEnumConverter<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
