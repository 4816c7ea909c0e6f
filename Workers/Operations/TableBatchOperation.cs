using ScaleOut.Orchestration;
using ScaleOut.Workers.Tables;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// An entity group transaction of inserts on one partition key. It is done as a whole or not at all, and counts as one attempt.
/// </summary>
internal sealed class TableBatchOperation(TableClient client, ContainerTarget table, BatchedDocuments documents) : IWorkloadOperation
{
    private readonly EntityGroupTransaction _transaction = new(client.AddressOf(table.Name));
    private readonly EntityWriter _entities = new(table.PartitionKeyPath.TrimStart('/'));

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
        WriteTransaction();
    }

    /// <inheritdoc/>
    public bool NextPart()
    {
        if (!documents.NextPart())
            return false;
        WriteTransaction();
        return true;
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            return TableResponseReading.From(await client.SubmitAsync(_transaction));
        }
        catch (Exception e) when (TableResponseReading.From(e) is { } response)
        {
            _transaction.Abandon();
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _entities.Dispose();
        documents.Dispose();
    }

    private void WriteTransaction()
    {
        _transaction.Begin();
        for (var i = 0; i < documents.Count; i++)
            _transaction.Insert(_entities.Write(documents[i], documents.Key, documents.IdOf(i)));
        _transaction.End();
    }
}
