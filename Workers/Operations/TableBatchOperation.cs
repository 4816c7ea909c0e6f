using Azure;
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

/// <summary>Says what the status of an entity group transaction means, and reads it from the forms in which it comes.</summary>
internal static class TableResponseReading
{
    /// <summary>What a response says.</summary>
    public static AttemptResponse From(TransactionResponse response)
    {
        if (response.Error is not { } error)
            return new AttemptResponse(AttemptKind.Succeeded, response.Status, 0, 0, default, null);
        var kind = KindOf(response.Status, error);
        var reason = kind is AttemptKind.AlreadyThere or AttemptKind.Throttled ? null : $"{error.Code} {error.Text}".Trim();
        return new AttemptResponse(kind, response.Status, 0, 0, response.RetryAfter, reason)
        {
            OutcomeUnknown = error.Code == TableErrors.OperationTimedOut,
        };
    }

    /// <summary>What an exception of the network or the identity says; null for one that comes from neither.</summary>
    public static AttemptResponse? From(Exception exception) => exception switch
    {
        RequestFailedException { Status: > 0 } e => From(
            new TransactionResponse(e.Status, new TableError(e.ErrorCode, e.Message, Operation: null), TimeSpan.Zero)),
        RequestFailedException e =>
            new AttemptResponse(AttemptKind.RetryUncertain, 0, 0, 0, default, e.InnerException?.Message ?? e.Message),
        Azure.Identity.AuthenticationFailedException e => new AttemptResponse(AttemptKind.Retry, 0, 0, 0, default, e.Message),
        _ => ResponseReading.From(exception),
    };

    /// <summary>
    /// What a status means. A conflict on any entity but the first means that the batch is there in part, which a batch of a run never is.
    /// </summary>
    /// <param name="status">Of the operation that failed, or of the whole.</param>
    /// <param name="error">What the service says of it.</param>
    public static AttemptKind KindOf(int status, TableError error) => (status, error.Code) switch
    {
        (409, TableErrors.EntityAlreadyExists) when error.Operation is null or 0 => AttemptKind.AlreadyThere,
        (409, TableErrors.TableBeingDeleted) => AttemptKind.Rejected,
        (429, _) or (503, TableErrors.ServerBusy or null) or (500, TableErrors.OperationTimedOut) => AttemptKind.Throttled,
        (0 or 408 or >= 500, _) => AttemptKind.RetryUncertain,
        (401 or 403 or 404, _) => AttemptKind.Rejected,
        _ => AttemptKind.Failed,
    };
}
