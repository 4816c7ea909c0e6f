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

    /// <summary>Makes options of a host those of <see cref="Compact"/>.</summary>
    public static void Configure(JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.PropertyNamingPolicy = JsonNamingPolicy.CamelCase;
        options.PropertyNameCaseInsensitive = true;
        options.NumberHandling = JsonNumberHandling.Strict;
        options.Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;
        options.TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { NamedContainerModifier.Apply } };
        options.Converters.Add(new EnumNameConverter());
    }

    private static JsonSerializerOptions Create(bool indented)
    {
        var options = new JsonSerializerOptions(JsonSerializerDefaults.Web) { WriteIndented = indented };
        Configure(options);
        options.MakeReadOnly();
        return options;
    }
}
