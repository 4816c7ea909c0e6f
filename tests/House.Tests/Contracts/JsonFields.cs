using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ScaleOut.Tests.Contracts;

/// <summary>
/// Fields of JSON, a line for each: its path, and what it may be. <c>[]</c> after a name stands for each element of an array, <c>*</c> for
/// any name.
/// </summary>
internal static class JsonFields
{
    /// <summary>More than the fields of reports need: a type that contains itself ends here.</summary>
    private const int MaxDepth = 12;

    private static readonly JsonSerializerOptions Options = ScaleOutJson.Compact;

    /// <summary>The fields of a type that the serializer writes.</summary>
    /// <param name="known">What is said of a type whose fields are listed elsewhere; null for other types.</param>
    public static IEnumerable<string> Of(Type type, Func<Type, string?> known) => Of(type, "", known);

    /// <summary>Fields of a JSON text that are not among the lines.</summary>
    public static IReadOnlyList<string> Unlisted(JsonNode json, IReadOnlyList<string> lines) =>
        [.. Unlisted(json, "", lines.ToDictionary(line => line.Split(": ")[0], line => line.Split(": ")[1])).Distinct()];

    private static IEnumerable<string> Of(Type type, string path, Func<Type, string?> known)
    {
        if (path.Count(letter => letter == '.') > MaxDepth)
            throw new InvalidOperationException($"{path} is too deep, or {type} contains itself.");
        foreach (var property in Options.GetTypeInfo(type).Properties.Where(property => property.Get is not null))
        {
            var (value, name) = ElementOf(property.PropertyType, path + property.Name);
            var hasFields = known(value) is null && Options.GetTypeInfo(value).Kind == JsonTypeInfoKind.Object;
            yield return $"{name}: {known(value) ?? (hasFields ? "object" : TextOf(value))}"
                + (Nullable.GetUnderlyingType(property.PropertyType) is not null || property.IsGetNullable ? " or null" : "")
                + (MayBeAbsent(property) ? " or absent" : "");
            foreach (var field in hasFields ? Of(value, name + ".", known) : [])
                yield return field;
        }
    }

    private static (Type Type, string Path) ElementOf(Type type, string path)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return Options.GetTypeInfo(type).Kind switch
        {
            JsonTypeInfoKind.Enumerable => ElementOf(type.GetElementType() ?? type.GetGenericArguments()[^1], path + "[]"),
            JsonTypeInfoKind.Dictionary => ElementOf(type.GetGenericArguments()[^1], path + ".*"),
            _ => (type, path),
        };
    }

    private static bool MayBeAbsent(JsonPropertyInfo property) =>
        property.AttributeProvider?.GetCustomAttributes(typeof(JsonIgnoreAttribute), inherit: true)
            .OfType<JsonIgnoreAttribute>().Any(ignore => ignore.Condition != JsonIgnoreCondition.Never) == true;

    private static string TextOf(Type type) =>
        type.IsEnum
            ? string.Join(" | ", Enum.GetValues(type).Cast<object>().Select(value => JsonSerializer.Serialize(value, type, Options)))
        : type == typeof(bool) ? "true | false"
        : type == typeof(string) || type == typeof(Uri) ? "text"
        : type == typeof(DateTimeOffset) ? "date and time"
        : type == typeof(TimeSpan) ? "time"
        : type == typeof(JsonObject) ? "object"
        : Type.GetTypeCode(type) is >= TypeCode.SByte and <= TypeCode.UInt64 ? "whole number"
        : Type.GetTypeCode(type) is TypeCode.Single or TypeCode.Double or TypeCode.Decimal || type == typeof(RequestUnits) ? "number"
        : throw new InvalidOperationException($"How {type} is written is not known here.");

    private static IEnumerable<string> Unlisted(JsonNode? json, string path, Dictionary<string, string> listed) => json switch
    {
        JsonArray when listed.GetValueOrDefault(path)?.StartsWith('[') == true => [],
        JsonArray elements => elements.SelectMany(element => Unlisted(element, path + "[]", listed)),
        // The fields of a part of a spec are in the schema.
        JsonObject when listed.GetValueOrDefault(path)?.Contains(".schema.json", StringComparison.Ordinal) == true => [],
        JsonObject fields => fields.SelectMany(field => Unlisted(
            field.Value,
            listed.ContainsKey($"{path}.*") ? $"{path}.*" : path.Length == 0 ? field.Key : $"{path}.{field.Key}",
            listed)),
        _ => new[] { path, $"{path}[]", $"{path}.*" }.Any(listed.ContainsKey) ? [] : [path],
    };
}
