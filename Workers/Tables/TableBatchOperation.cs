using Azure.Data.Tables;

namespace ScaleOut.Workers.Tables;

/// <summary>An entity group transaction of inserts on one partition key. It is atomic and counts as one attempt.</summary>
internal sealed class TableBatchOperation(TableClient table, ContainerTarget target, BatchedDocuments documents)
    : AccountCall<Response<IReadOnlyList<Response>>>, IWorkloadOperation
{
    private readonly string _keyProperty = target.PartitionKeyPath.TrimStart('/');
    private readonly List<TableTransactionAction> _inserts = [];

    public int Partition => documents.Partition;

    public int? PartDocuments => documents.Count;

    public int PartBytes => documents.Bytes;

    public void Prepare(long first, int count)
    {
        documents.Prepare(first, count);
        MakeInserts();
    }

    public bool NextPart()
    {
        if (!documents.NextPart())
            return false;
        MakeInserts();
        return true;
    }

    public void Dispose() => documents.Dispose();

    protected override Task<Response<IReadOnlyList<Response>>> CallAsync() => table.SubmitTransactionAsync(_inserts);

    protected override AttemptResponse ReadResponse(Response<IReadOnlyList<Response>> response) =>
        response.Value.Count == _inserts.Count
            ? new AttemptResponse(AttemptKind.Succeeded, 201, 0, default, default, null)
            : new AttemptResponse(
                AttemptKind.RetryUncertain, 0, 0, default, default,
                $"The response has {response.Value.Count} results for {_inserts.Count} entities.");

    protected override AttemptResponse? ReadError(Exception error) => TableErrors.Read(error);

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
    /// The key property becomes the partition key, the id the row key, and every other property at the top level a property. Objects and
    /// lists become texts of their JSON, since tables have neither. A null is left out.
    /// </summary>
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
