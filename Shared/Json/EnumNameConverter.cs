using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Json;

/// <summary>
/// Writes enums by name, and leaves those with a converter of their own to it: a plain <see cref="JsonStringEnumConverter"/> among the options
/// would go before the attribute on the type.
/// </summary>
internal sealed class EnumNameConverter : JsonConverterFactory
{
    private readonly JsonStringEnumConverter _byName = new(namingPolicy: null, allowIntegerValues: false);

    public override bool CanConvert(Type typeToConvert) => typeToConvert.IsEnum && !typeToConvert.IsDefined(typeof(JsonConverterAttribute), inherit: false);

    public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) => _byName.CreateConverter(typeToConvert, options);
}
