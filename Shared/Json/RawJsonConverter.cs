using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Json;

/// <summary>Writes a string that holds JSON as that JSON, and reads any JSON as its text without white space.</summary>
public sealed class RawJsonConverter : JsonConverter<string>
{
    /// <inheritdoc/>
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return Compact(document.RootElement);
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteRawValue(value);
    }

    /// <summary>A value's text without white space.</summary>
    internal static string Compact(JsonElement value) => JsonSerializer.Serialize(value, ScaleOutJson.Compact);
}
