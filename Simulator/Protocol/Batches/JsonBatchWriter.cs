namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>Writes results as a JSON array, for clients that sent one.</summary>
internal static class JsonBatchWriter
{
    public static void Write(IBufferWriter<byte> output, BatchWork batch, ReadOnlySpan<byte> documents)
    {
        using var writer = new Utf8JsonWriter(output, DatumJson.Options);
        writer.WriteStartArray();
        foreach (var operation in batch.Operations)
        {
            var result = operation.Result;
            writer.WriteStartObject();
            writer.WriteNumber("statusCode"u8, result.Status);
            // That of a transaction is in the header.
            if (result.SubStatus != 0 && batch is BulkWork)
                writer.WriteNumber("subStatusCode"u8, result.SubStatus);
            writer.WritePropertyName("requestCharge"u8);
            JsonNumber.Write(writer, result.Charge.Value);
            if (result.Version > 0)
                writer.WriteString("eTag"u8, DocumentEtag.Quoted(batch.Container.Number, result.Version));
            if (result.RetryAfterMs > 0)
                writer.WriteNumber("retryAfterMilliseconds"u8, result.RetryAfterMs);
            if (operation.Output.Length > 0)
            {
                writer.WritePropertyName("resourceBody"u8);
                writer.WriteRawValue(documents.Slice(operation.Output.Start, operation.Output.Length), skipInputValidation: true);
            }

            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }
}
