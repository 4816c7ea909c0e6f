namespace ScaleOut.Simulator.Engine.ChangeFeed;

/// <summary>
/// Writes changes in the form of the mode <c>AllVersionsAndDeletes</c>: the document and what is known of its write. As on the service,
/// there are no previous versions; a delete names the id and the partition key of the document ("Change feed modes in Azure Cosmos DB").
/// </summary>
internal static class VersionWriter
{
    private static readonly JsonPath Id = JsonPath.Parse("/id")!;

    public static void Write(IBufferWriter<byte> output, ContainerResource container, DocumentVersion version)
    {
        output.Write("{"u8);
        if (!version.IsDeleted)
        {
            output.Write("\"current\":"u8);
            DocumentWriter.Write(output, container, version.Record, version.Body);
            output.Write(","u8);
        }

        output.Write("\"metadata\":"u8);
        using (var writer = new Utf8JsonWriter(output, DatumJson.Options))
            WriteMetadata(writer, container, version);
        output.Write("}"u8);
    }

    private static void WriteMetadata(Utf8JsonWriter writer, ContainerResource container, DocumentVersion version)
    {
        writer.WriteStartObject();
        writer.WriteString("operationType", version.IsDeleted ? "delete" : version.PreviousLsn > 0 ? "replace" : "create");
        writer.WriteNumber("lsn", version.TransactionLsn);
        writer.WriteNumber("crts", version.Second);
        if (version.PreviousLsn > 0)
            writer.WriteNumber("previousImageLSN", version.PreviousLsn);
        if (version.IsExpired)
            writer.WriteBoolean("timeToLiveExpired", true);
        if (version.IsDeleted)
        {
            WriteValue(writer, "id", Id, version.Body);
            writer.WriteStartObject("partitionKey");
            foreach (var path in container.Settings.PartitionKey.Paths)
                WriteValue(writer, string.Join('/', path.Segments), path, version.Body);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    /// <summary>Writes the value at a path, if there is one.</summary>
    private static void WriteValue(Utf8JsonWriter writer, string name, JsonPath path, byte[] body)
    {
        if (!path.TryFind(body, out var reader))
            return;
        using var value = JsonDocument.ParseValue(ref reader);
        writer.WritePropertyName(name);
        Datum.From(value.RootElement).WriteTo(writer);
    }
}
