using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>A TransactionalBatch of creates on one partition key. It is done as a whole or not at all, and counts as one attempt.</summary>
public sealed class BatchOperation : IWorkloadOperation
{
    private readonly OperationContext _context;
    private readonly int _batchSize;
    private readonly int[] _ends;
    private readonly TransactionalBatchItemRequestOptions _options;
    private readonly AttemptBuffer _buffer;
    private int _count;
    private PartitionKey _key;

    public BatchOperation(OperationContext context, int batchSize)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _batchSize = batchSize;
        _ends = new int[batchSize];
        _options = new TransactionalBatchItemRequestOptions { EnableContentResponseOnWrite = context.ContentResponseOnWrite };
        _buffer = new AttemptBuffer(context.Documents.MaxBytes * batchSize);
    }

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        var key = _context.Documents.KeyOfBatch(first / _batchSize);
        _key = new PartitionKey(key);
        Partition = _context.Partitions.IndexOf(key);
        _count = count;
        var end = 0;
        for (var i = 0; i < count; i++)
        {
            end += _context.Documents.Write(first + i, key, _buffer.Bytes.AsSpan(end));
            _ends[i] = end;
        }
    }

    /// <inheritdoc/>
    public async Task<AttemptAnswer> TryAsync()
    {
        try
        {
            var batch = _context.Container.CreateTransactionalBatch(_key);
            for (var i = 0; i < _count; i++)
            {
                var start = i == 0 ? 0 : _ends[i - 1];
                batch.CreateItemStream(new MemoryStream(_buffer.Bytes, start, _ends[i] - start, writable: false, publiclyVisible: true), _options);
            }

            using var response = await batch.ExecuteAsync();
            return AnswerOf(response);
        }
        catch (Exception e) when (AnswerReading.Of(e) is { } answer)
        {
            _buffer.Abandon(_ends[_count - 1]);
            return answer;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _buffer.Dispose();

    private static AttemptAnswer AnswerOf(TransactionalBatchResponse response)
    {
        var status = (int)response.StatusCode;
        if (response.IsSuccessStatusCode)
            return new AttemptAnswer(AttemptKind.Put, status, 0, response.RequestCharge, default, null);

        var subStatus = int.TryParse(response.Headers["x-ms-substatus"], out var parsed) ? parsed : 0;
        var kind = AnswerReading.KindOf(status, subStatus);

        // A conflict on any document but the first means that the batch is there in part, which a batch of this run never is.
        if (kind == AttemptKind.AlreadyThere && (response.Count == 0 || (int)response[0].StatusCode != 409))
            kind = AttemptKind.Failed;
        return new AttemptAnswer(kind, status, subStatus, response.RequestCharge, response.RetryAfter ?? default, status is 409 or 429 ? null : response.ErrorMessage);
    }
}
