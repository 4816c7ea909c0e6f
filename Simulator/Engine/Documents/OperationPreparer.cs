using ScaleOut.Simulator.Engine.BinaryJson;

namespace ScaleOut.Simulator.Engine.Documents;

/// <summary>Prepares operations without a lock: reads the body, checks it against the key, finds the partition.</summary>
internal static class OperationPreparer
{
    private const string KeyMismatch = "PartitionKey extracted from document doesn't match the one specified in the header. "
        + "Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value";

    /// <summary>The service's own words.</summary>
    private const string MissingKey =
        "The partition key supplied in x-ms-partitionkey header has fewer components than defined in the the collection.";

    private const string InvalidKey = "Partition key provided either doesn't correspond to definition in the collection or doesn't match "
        + "partition key field values specified in the document.";

    /// <summary>Sets the operation's partition and key. False if the operation is wrong; its result says why.</summary>
    public static bool TryPrepare(ContainerResource container, DocumentOperation operation)
    {
        if (!TryReadKey(container.Settings.PartitionKey, operation.PartitionKeyJson, out var key))
            return Fail(operation, InvalidKeyResult(operation.PartitionKeyJson));
        operation.Partition = container.Map.Find(key.Position);
        if (BinaryDocument.Is(operation.Body.Span) && !TryReadBinaryBody(operation))
            return false;
        if (operation.Kind is OperationKind.Create or OperationKind.Upsert or OperationKind.Replace)
            return TryPrepareBody(container, operation, key);
        operation.Key = new DocumentKey(key.Hash, DocumentKey.HashId(operation.Id.Span));
        if (operation.Id.IsEmpty)
            return Fail(operation, ServiceStatus.BadRequest, "The id is missing.");
        return operation.Kind != OperationKind.Patch || TryPreparePatch(operation);
    }

    /// <summary>Converts a binary body to text. Size limits hold for the text.</summary>
    private static bool TryReadBinaryBody(DocumentOperation operation)
    {
        try
        {
            operation.Body = BinaryDocument.ToText(operation.Body.Span, StorageLimits.MaxBytesOfDocument);
            return true;
        }
        catch (JsonException e)
        {
            return Fail(operation, ServiceStatus.BadRequest, $"The binary-encoded request payload is invalid: {e.Message}");
        }
    }

    private static bool TryPreparePatch(DocumentOperation operation)
    {
        if (operation.Body.Length > StorageLimits.MaxBytesOfDocument)
            return Fail(operation, ServiceStatus.TooLarge, StorageLimits.IsTooLarge);
        try
        {
            operation.Patch = PatchSpecification.Parse(operation.Body);
            return true;
        }
        catch (RequestException e)
        {
            return Fail(operation, e.Status, e.Message, e.SubStatus);
        }
    }

    private static bool TryPrepareBody(ContainerResource container, DocumentOperation operation, PartitionKeyIdentity key)
    {
        if (operation.Body.Length > StorageLimits.MaxBytesOfDocument)
            return Fail(operation, ServiceStatus.TooLarge, StorageLimits.IsTooLarge);
        // A replacement may have another id, and its errors matter only if the document exists.
        var isReplace = operation.Kind == OperationKind.Replace;
        if (isReplace)
            operation.Key = new DocumentKey(key.Hash, DocumentKey.HashId(operation.Id.Span));
        DocumentFacts facts = default;
        if (container.Inspector.TryInspect(operation.Body, ref facts, out var error))
            error = container.Settings.CheckTtl(facts.Body.Span);
        if (error is not null || facts.PartitionKey != key)
        {
            // A replica reads the body and refuses it, for a charge.
            operation.InvalidBody = error is not null
                ? OperationResult.Fail(ServiceStatus.BadRequest, error)
                : OperationResult.Fail(ServiceStatus.BadRequest, KeyMismatch, ServiceStatus.PartitionKeyMismatch);
            return true;
        }

        if (facts.IsToBeRewritten)
            facts.Body = Rewrite(facts.Body);
        operation.Facts = facts;
        if (!isReplace)
            operation.Key = facts.Key;
        return true;
    }

    /// <summary>The result of a request for one key that is not valid for the container.</summary>
    public static OperationResult InvalidKeyResult(ReadOnlyMemory<byte> json) =>
        OperationResult.Fail(ServiceStatus.BadRequest, json.IsEmpty ? MissingKey : InvalidKey, ServiceStatus.PartitionKeyMismatch);

    /// <summary>Reads a whole key: a hierarchical one needs all its values.</summary>
    public static bool TryReadKey(PartitionKeyDefinition definition, ReadOnlyMemory<byte> json, out PartitionKeyIdentity key)
    {
        if (!definition.IsHierarchical)
            return TryReadKey(definition.Version, json, out key);
        var isWhole = HierarchicalKey.TryReadJson(definition, json.Span, out var values)
            && values.Count == definition.Paths.Count;
        key = isWhole ? values.Identity : default;
        return isWhole;
    }

    /// <summary>Reads a JSON array of one value; <c>[{}]</c> and <c>[]</c> mean that the document has no key.</summary>
    public static bool TryReadKey(PartitionKeyVersion version, ReadOnlyMemory<byte> json, out PartitionKeyIdentity key)
    {
        key = default;
        if (json.IsEmpty)
            return false;
        var scratch = ArrayPool<byte>.Shared.Rent(json.Length);
        try
        {
            var reader = new Utf8JsonReader(json.Span);
            reader.Read();
            if (reader.TokenType != JsonTokenType.StartArray)
                return false;
            reader.Read();
            scoped PartitionKeyValue value = PartitionKeyValue.Undefined;
            if (reader.TokenType == JsonTokenType.StartObject)
            {
                reader.Read();
                if (reader.TokenType != JsonTokenType.EndObject)
                    return false;
                reader.Read();
            }
            else if (reader.TokenType != JsonTokenType.EndArray)
            {
                if (!PartitionKeyValue.TryRead(ref reader, scratch, out value))
                    return false;
                reader.Read();
            }

            key = PartitionKeyIdentity.From(version, value);
            return reader.TokenType == JsonTokenType.EndArray && !reader.Read();
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // The caller rejects the request.
            return false;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(scratch);
        }
    }

    /// <summary>The document without system properties and white space, its numbers and texts as the service keeps them.</summary>
    public static ReadOnlyMemory<byte> Rewrite(ReadOnlyMemory<byte> body)
    {
        var output = new ArrayBufferWriter<byte>(body.Length);
        var reader = new Utf8JsonReader(body.Span, new JsonReaderOptions { MaxDepth = IndexEntries.MaxDepth });
        var before = JsonTokenType.StartObject;
        while (reader.Read())
        {
            var type = reader.TokenType;
            if (type == JsonTokenType.PropertyName && reader.CurrentDepth == 1 && IndexEntries.IsSystemProperty(ref reader))
            {
                reader.Skip();
                continue;
            }

            if (DocumentInspector.HasComma(before, type))
                output.Write(","u8);
            var quote = type is JsonTokenType.PropertyName or JsonTokenType.String ? "\""u8 : default;
            output.Write(quote);
            if (type == JsonTokenType.Number)
                JsonNumber.WriteStored(output, reader.ValueSpan);
            else if (type == JsonTokenType.String && reader.ValueIsEscaped)
                SurrogateText.WriteWhole(output, reader.ValueSpan);
            else
                output.Write(reader.ValueSpan);
            output.Write(quote);
            if (type == JsonTokenType.PropertyName)
                output.Write(":"u8);
            before = type;
        }

        return output.WrittenMemory;
    }

    private static bool Fail(DocumentOperation operation, int status, string? message, int subStatus = 0) =>
        Fail(operation, OperationResult.Fail(status, message, subStatus));

    private static bool Fail(DocumentOperation operation, in OperationResult result)
    {
        operation.Result = result;
        return false;
    }
}
