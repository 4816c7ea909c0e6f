using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace ScaleOut.Simulator.Engine.Queries.Values;

/// <summary>Values as JSON text.</summary>
internal static class DatumJson
{
    /// <summary>Values stand one behind the other in a page, which the writer must not check.</summary>
    public static JsonWriterOptions Options { get; } = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
        MaxDepth = 1_000,
    };

    public static string ToText(Datum value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, Options))
            value.WriteTo(writer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <exception cref="JsonException">No JSON.</exception>
    public static Datum Parse(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = 256 });
        return Datum.From(document.RootElement).Detached();
    }
}
