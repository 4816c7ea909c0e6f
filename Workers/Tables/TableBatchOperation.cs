using Azure.Data.Tables;
using ScaleOut.Orchestration;
using ScaleOut.Workers.Operations;

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
