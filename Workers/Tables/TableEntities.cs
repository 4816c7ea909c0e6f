using System.Text.Json;
using Azure.Data.Tables;

namespace ScaleOut.Workers.Tables;

/// <summary>Turns documents into entities of a table.</summary>
internal static class TableEntities
{
    /// <summary>
    /// The id becomes the row key, the property of the partition key the partition key, and every other property at the top level a
    /// property. Objects and lists become texts of their JSON, since tables have neither. A null is left out.
    /// </summary>
    /// <param name="document">The document's JSON.</param>
    /// <param name="keyProperty">Property whose value is the partition key.</param>
    /// <param name="partitionKey">The document's partition key.</param>
    /// <param name="rowKey">The document's id.</param>
    public static TableEntity From(ReadOnlySpan<byte> document, string keyProperty, string partitionKey, string rowKey)
    {
        var entity = new TableEntity(partitionKey, rowKey);
        var reader = new Utf8JsonReader(document);
        using var json = JsonDocument.ParseValue(ref reader);
        foreach (var property in json.RootElement.EnumerateObject())
        {
            if (property.Name != "id" && property.Name != keyProperty && ValueOf(property.Value) is { } value)
                entity[property.Name] = value;
        }

        return entity;
    }

    private static object? ValueOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => null,
        JsonValueKind.String => value.GetString(),
        JsonValueKind.True or JsonValueKind.False => value.GetBoolean(),
        JsonValueKind.Number when value.TryGetInt32(out var small) => small,
        JsonValueKind.Number when value.TryGetInt64(out var large) => large,
        JsonValueKind.Number => value.GetDouble(),
        _ => value.GetRawText(),
    };
}
