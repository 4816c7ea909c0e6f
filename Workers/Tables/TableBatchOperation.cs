using Azure.Data.Tables;

namespace ScaleOut.Workers.Tables;

/// <summary>
/// An entity group transaction of inserts on one partition key. It is done as a whole or not at all, and counts as one attempt.
/// </summary>
internal sealed class TableBatchOperation(TableClient table, ContainerTarget target, BatchedDocuments documents) : IWorkloadOperation
{
    private readonly string _keyProperty = target.PartitionKeyPath.TrimStart('/');
    private readonly List<TableTransactionAction> _inserts = [];

    /// <inheritdoc/>
    public int Partition => documents.Partition;

    /// <inheritdoc/>
    public int? PartDocuments => documents.Count;

    /// <inheritdoc/>
    public int PartBytes => documents.Bytes;

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        documents.Prepare(first, count);
        MakeInserts();
    }

    /// <inheritdoc/>
    public bool NextPart()
    {
        if (!documents.NextPart())
            return false;
        MakeInserts();
        return true;
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            var response = await table.SubmitTransactionAsync(_inserts);
            return response.Value.Count == _inserts.Count
                ? new AttemptResponse(AttemptKind.Succeeded, 201, 0, 0, default, null)
                : new AttemptResponse(
                    AttemptKind.RetryUncertain, 0, 0, 0, default,
                    $"The response has {response.Value.Count} results for {_inserts.Count} entities.");
        }
        catch (Exception e) when (TableErrors.Read(e) is { } response)
        {
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => documents.Dispose();

    private void MakeInserts()
    {
        _inserts.Clear();
        for (var i = 0; i < documents.Count; i++)
            _inserts.Add(new TableTransactionAction(
                TableTransactionActionType.Add,
                TableEntities.From(documents[i], _keyProperty, documents.Key, documents.IdOf(i))));
    }
}

/// <summary>Turns documents into entities of a table.</summary>
internal static class TableEntities
{
    /// <summary>
    /// The id becomes the row key, the property of the partition key the partition key, and every other property at the top level a
    /// property. Objects and lists become texts of their JSON, since tables have neither. A null is left out.
    /// </summary>
    /// <param name="keyProperty">Property whose value is the partition key.</param>
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
