using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Documents;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A TransactionalBatch of creates on one partition key. It is done as a whole or not at all, and counts as one attempt. Documents that
/// keep their own keys become one batch for each run of equal keys, one after the other.
/// </summary>
public sealed class BatchOperation : IWorkloadOperation
{
    private readonly OperationContext _context;
    private readonly int _batchSize;
    private readonly int[] _ends;
    private readonly TransactionalBatchItemRequestOptions _options;
    private readonly AttemptBuffer _buffer;
    private readonly string[] _keys;
    private int _all;
    private int _start;
    private int _count;
    private PartitionKey _key;

    public BatchOperation(OperationContext context, int batchSize)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _batchSize = batchSize;
        _ends = new int[batchSize];
        _keys = new string[context.Documents.MixesKeysInBatch ? batchSize : 0];
        _options = new TransactionalBatchItemRequestOptions { EnableContentResponseOnWrite = context.ContentResponseOnWrite };
        _buffer = new AttemptBuffer(context.Documents.MaxBytes * batchSize);
    }

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public int? PartDocuments => _count;

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        _all = count;
        var shared = _keys.Length == 0 ? _context.Documents.KeyOfBatch(first / _batchSize) : null;
        var end = 0;
        for (var i = 0; i < count; i++)
        {
            var key = shared ?? (_keys[i] = _context.Documents.KeyOf(first + i));
            end += _context.Documents.Write(first + i, key, _buffer.Bytes.AsSpan(end));
            _ends[i] = end;
        }

        (_start, _count) = (0, 0);
        Take(shared);
    }

    /// <inheritdoc/>
    public bool NextPart()
    {
        if (_start + _count == _all)
            return false;
        _start += _count;
        Take(shared: null);
        return true;
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            var batch = _context.Container.CreateTransactionalBatch(_key);
            for (var i = 0; i < _count; i++)
            {
                var document = _start + i;
                var start = document == 0 ? 0 : _ends[document - 1];
                batch.CreateItemStream(
                    new MemoryStream(_buffer.Bytes, start, _ends[document] - start, writable: false, publiclyVisible: true), _options);
            }

            using var response = await batch.ExecuteAsync();
            return ResponseOf(response);
        }
        catch (Exception e) when (ResponseReading.From(e) is { } response)
        {
            _buffer.Abandon(_ends[_all - 1]);
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _buffer.Dispose();

    /// <summary>Takes the documents from <see cref="_start"/> on that have one key.</summary>
    private void Take(string? shared)
    {
        var key = shared ?? _keys[_start];
        _count = shared is null ? 1 : _all;
        while (_start + _count < _all && _keys[_start + _count] == key)
            _count++;
        _key = new PartitionKey(key);
        Partition = _context.Partitions.IndexOf(key);
    }

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
