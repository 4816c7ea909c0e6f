using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A TransactionalBatch of creates on one partition key. It is done as a whole or not at all, and counts as one attempt. Documents that
/// keep their own keys become one batch for each run of equal keys, one after the other.
/// </summary>
public sealed class BatchOperation : IWorkloadOperation
{
    private readonly Container _container;
    private readonly BatchedDocuments _documents;
    private readonly TransactionalBatchItemRequestOptions _options;

    public BatchOperation(OperationContext context, int batchSize)
    {
        ArgumentNullException.ThrowIfNull(context);
        _container = context.Container;
        _documents = new BatchedDocuments(context.Documents, context.Partitions, batchSize);
        _options = new TransactionalBatchItemRequestOptions { EnableContentResponseOnWrite = context.ContentResponseOnWrite };
    }

    /// <inheritdoc/>
    public int Partition => _documents.Partition;

    /// <inheritdoc/>
    public int? PartDocuments => _documents.Count;

    /// <inheritdoc/>
    public int PartBytes => _documents.Bytes;

    /// <inheritdoc/>
    public void Prepare(long first, int count) => _documents.Prepare(first, count);

    /// <inheritdoc/>
    public bool NextPart() => _documents.NextPart();

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            var batch = _container.CreateTransactionalBatch(new PartitionKey(_documents.Key));
            for (var i = 0; i < _documents.Count; i++)
            {
                var document = _documents[i];
                batch.CreateItemStream(
                    new MemoryStream(document.Array!, document.Offset, document.Count, writable: false, publiclyVisible: true), _options);
            }

            using var response = await batch.ExecuteAsync();
            return ResponseOf(response);
        }
        catch (Exception e) when (ResponseReading.From(e) is { } response)
        {
            _documents.Abandon();
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _documents.Dispose();

    private static AttemptResponse ResponseOf(TransactionalBatchResponse response)
    {
        var status = (int)response.StatusCode;
        if (response.IsSuccessStatusCode)
            return new AttemptResponse(AttemptKind.Succeeded, status, 0, response.RequestCharge, default, null);

        var subStatus = int.TryParse(response.Headers["x-ms-substatus"], out var parsed) ? parsed : 0;
        var kind = ResponseReading.KindOf(status, subStatus);

        // A conflict on any document but the first means that the batch is there in part, which a batch of this run never is.
        if (kind == AttemptKind.AlreadyThere && (response.Count == 0 || (int)response[0].StatusCode != 409))
            kind = AttemptKind.Failed;
        return new AttemptResponse(
            kind,
            status,
            subStatus,
            response.RequestCharge,
            response.RetryAfter ?? default,
            status is 409 or 429 ? null : response.ErrorMessage);
    }
}
