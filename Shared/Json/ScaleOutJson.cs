using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ScaleOut.Json;

/// <summary>The one way in which specs, leg results and reports are written as JSON: camelCase, enums as strings, nulls kept.</summary>
public static class ScaleOutJson
{
    /// <summary>On one line, for messages and the run store.</summary>
    public static JsonSerializerOptions Compact { get; } = Create(indented: false);

    /// <summary>Indented, for files that people open.</summary>
    public static JsonSerializerOptions Indented { get; } = Create(indented: true);

    private static JsonSerializerOptions Create(bool indented)
    {
        var options = new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            WriteIndented = indented,
            NumberHandling = JsonNumberHandling.Strict,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { NamedContainerModifier.Apply } },
            Converters = { new EnumNameConverter() },
        };
        options.MakeReadOnly();
        return options;
    }
}
