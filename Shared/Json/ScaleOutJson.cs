using System.Text.Encodings.Web;

namespace ScaleOut.Json;

/// <summary>How specs, leg results and reports are written as JSON: camelCase, enums as strings, nulls kept.</summary>
public static class ScaleOutJson
{
    /// <summary>On one line, for messages and the run store.</summary>
    public static JsonSerializerOptions Compact { get; } = Create(indented: false);

    /// <summary>Indented, for files that people open.</summary>
    public static JsonSerializerOptions Indented { get; } = Create(indented: true);

    /// <summary>Gives a host's options the settings of <see cref="Compact"/>.</summary>
    public static void Configure(JsonSerializerOptions options)
    {
        options.PropertyNamingPolicy = JsonNamingPolicy.CamelCase;
        options.PropertyNameCaseInsensitive = true;
        options.NumberHandling = JsonNumberHandling.Strict;
        options.Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;
        options.TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { LeaveOut } };
        options.Converters.Add(new EnumNameConverter());
    }

    private static void LeaveOut(JsonTypeInfo type)
    {
        if (!typeof(IOmitsProperties).IsAssignableFrom(type.Type))
            return;
        foreach (var property in type.Properties)
            property.ShouldSerialize = (holder, _) => !((IOmitsProperties)holder).Omits(property.Name);
    }

    private static JsonSerializerOptions Create(bool indented)
    {
        var options = new JsonSerializerOptions(JsonSerializerDefaults.Web) { WriteIndented = indented };
        Configure(options);
        options.MakeReadOnly();
        return options;
    }
}

/// <summary>An object that leaves properties out of its JSON, depending on its other properties.</summary>
internal interface IOmitsProperties
{
    /// <param name="name">Name of a property in camelCase.</param>
    bool Omits(string name);
}

/// <summary>
/// Writes an enum's names in camelCase, such as <c>perfTest</c>. Other enums keep the spelling of the Cosmos SDK, such as <c>Gateway</c>.
/// </summary>
public sealed class CamelCaseEnumConverter<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;

/// <summary>
/// Writes enums by name, except those with a converter of their own. A plain <see cref="JsonStringEnumConverter"/> among the options would
/// take precedence over the attribute on the type.
/// </summary>
internal sealed class EnumNameConverter : JsonConverterFactory
{
    private readonly JsonStringEnumConverter _byName = new(namingPolicy: null, allowIntegerValues: false);

    public override bool CanConvert(Type typeToConvert) =>
        typeToConvert.IsEnum && !typeToConvert.IsDefined(typeof(JsonConverterAttribute), inherit: false);

    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
        _byName.CreateConverter(typeToConvert, options);
}

/// <summary>Writes a string that holds JSON as that JSON, and reads any JSON value as its text without white space.</summary>
internal sealed class RawJsonConverter : JsonConverter<string>
{
    public override string Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return Compact(document.RootElement);
    }

    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteRawValue(value);

    internal static string Compact(JsonElement value) => JsonSerializer.Serialize(value, ScaleOutJson.Compact);
}
