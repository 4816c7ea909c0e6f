namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>
/// Reads batches in JSON, from SDKs without HybridRow: <c>[{"operationType": "Create", "partitionKey": "[\"k\"]", "resourceBody": {...}},
/// ...]</c>.
/// </summary>
internal static class JsonBatchReader
{
    private const int MaxDepth = 130;

    /// <summary>Whether a batch is JSON. A HybridRow segment begins with another byte.</summary>
    public static bool IsJson(ReadOnlySpan<byte> body) => body.TrimStart(" \t\r\n"u8) is [(byte)'[' or (byte)'{', ..];

    /// <summary>Adds the operations to the batch. Returns an error for a 400, or null. The operations borrow the body.</summary>
    public static string? Read(ReadOnlyMemory<byte> body, BatchWork batch)
    {
        var count = 0;
        try
        {
            var reader = new Utf8JsonReader(body.Span, new JsonReaderOptions { MaxDepth = MaxDepth });
            reader.Read();
            if (reader.TokenType != JsonTokenType.StartArray)
                return "The batch is not an array of operations.";
            for (; reader.Read() && reader.TokenType != JsonTokenType.EndArray; count++)
            {
                if (count == BatchReader.MaxOperations)
                    return BatchReader.TooManyOperations;
                if (reader.TokenType != JsonTokenType.StartObject || !TryReadOperation(ref reader, body, batch.Add()))
                    return BatchReader.Malformed(count);
            }

            // The reader throws if anything but white space follows.
            reader.Read();
            return null;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // InvalidOperationException: text that is not UTF-8.
            return BatchReader.Malformed(count);
        }
    }

    private static bool TryReadOperation(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body, DocumentOperation operation)
    {
        OperationKind? kind = null;
        operation.ReturnsBody = true;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("operationType"u8))
                kind = KindOf(ReadText(ref reader));
            else if (reader.ValueTextEquals("partitionKey"u8))
                operation.PartitionKeyJson = ReadKey(ref reader, body);
            else if (reader.ValueTextEquals("id"u8))
                operation.Id = Encoding.UTF8.GetBytes(ReadText(ref reader));
            else if (reader.ValueTextEquals("resourceBody"u8))
                operation.Body = ReadValue(ref reader, body);
            else if (reader.ValueTextEquals("ifMatch"u8))
                operation.IfMatch = ReadText(ref reader);
            else if (reader.ValueTextEquals("ifNoneMatch"u8))
                operation.IfNoneMatch = ReadText(ref reader);
            else
                reader.Skip();
        }

        operation.Kind = kind ?? OperationKind.Query;
        var hasBody = operation.Kind is OperationKind.Read or OperationKind.Delete || !operation.Body.IsEmpty;
        return kind is not null && hasBody;
    }

    private static string ReadText(ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.GetString() ?? "";
    }

    /// <summary>Reads the key, which comes as text or as JSON.</summary>
    private static ReadOnlyMemory<byte> ReadKey(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        var value = ReadValue(ref reader, body);
        return reader.TokenType == JsonTokenType.String ? Encoding.UTF8.GetBytes(reader.GetString()!) : value;
    }

    private static ReadOnlyMemory<byte> ReadValue(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        reader.Read();
        var start = (int)reader.TokenStartIndex;
        reader.Skip();
        return body[start..(int)reader.BytesConsumed];
    }

    private static OperationKind? KindOf(string name) => name switch
    {
        "Create" => OperationKind.Create,
        "Upsert" => OperationKind.Upsert,
        "Replace" => OperationKind.Replace,
        "Read" => OperationKind.Read,
        "Delete" => OperationKind.Delete,
        "Patch" => OperationKind.Patch,
        _ => null,
    };
}
