using System.Buffers;
using System.Buffers.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// Turns documents into entities: the id becomes the row key, the property of the partition key the partition key, and every other property
/// at the top level a property. A whole number beyond 32 bits becomes an <c>Edm.Int64</c>; objects and lists become texts of their JSON,
/// since tables have neither, and a null is left out.
/// </summary>
/// <param name="keyProperty">Property whose value is the partition key.</param>
internal sealed class EntityWriter(string keyProperty) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _entity = new();
    private readonly Utf8JsonWriter _json = new(
        Stream.Null, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true });

    /// <summary>The entity's JSON; valid until the next call.</summary>
    /// <param name="document">The document's JSON.</param>
    /// <param name="partitionKey">Its partition key.</param>
    /// <param name="rowKey">Its id.</param>
    public ReadOnlySpan<byte> Write(ReadOnlySpan<byte> document, string partitionKey, string rowKey)
    {
        _entity.ResetWrittenCount();
        _json.Reset(_entity);
        _json.WriteStartObject();
        _json.WriteString("PartitionKey"u8, partitionKey);
        _json.WriteString("RowKey"u8, rowKey);
        var reader = new Utf8JsonReader(document);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString()!;
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            reader.Skip();
            if (name != "id" && name != keyProperty)
                WriteProperty(name, reader.TokenType, document[start..(int)reader.BytesConsumed]);
        }

        _json.WriteEndObject();
        _json.Flush();
        return _entity.WrittenSpan;
    }

    public void Dispose() => _json.Dispose();

    /// <param name="name">The property's.</param>
    /// <param name="type">The last token of its value.</param>
    /// <param name="value">JSON.</param>
    private void WriteProperty(string name, JsonTokenType type, ReadOnlySpan<byte> value)
    {
        switch (type)
        {
            case JsonTokenType.Null:
                break;
            case JsonTokenType.EndObject or JsonTokenType.EndArray:
                _json.WriteString(name, value);
                break;
            case JsonTokenType.Number when IsWhole(value) && !FitsInt32(value):
                _json.WriteString($"{name}@odata.type", "Edm.Int64"u8);
                _json.WriteString(name, value);
                break;
            default:
                _json.WritePropertyName(name);
                _json.WriteRawValue(value, skipInputValidation: true);
                break;
        }
    }

    private static bool IsWhole(ReadOnlySpan<byte> number) => !number.ContainsAny((byte)'.', (byte)'e', (byte)'E');

    private static bool FitsInt32(ReadOnlySpan<byte> number) =>
        Utf8Parser.TryParse(number, out int _, out var length) && length == number.Length;
}
