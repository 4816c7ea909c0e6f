using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// A TransactionalBatch of creates on one partition key. It is atomic and counts as one attempt. Documents that keep their own keys become
/// one batch for each series of equal keys.
/// </summary>
internal sealed class BatchOperation(OperationContext context, int batchSize)
    : AccountCall<TransactionalBatchResponse>, IWorkloadOperation
{
    private readonly BatchedDocuments _documents = new(context.Documents, context.Partitions, batchSize);
    private readonly TransactionalBatchItemRequestOptions _options =
        new() { EnableContentResponseOnWrite = context.ContentResponseOnWrite };

    public int Partition => _documents.Partition;

    public int? PartDocuments => _documents.Count;

    public int PartBytes => _documents.Bytes;

    public void Prepare(long first, int count) => _documents.Prepare(first, count);

    public bool NextPart() => _documents.NextPart();

    public void Dispose() => _documents.Dispose();

    protected override Task<TransactionalBatchResponse> CallAsync()
    {
        var batch = context.Container.CreateTransactionalBatch(OperationContext.KeyFrom(_documents.KeyValues));
        for (var i = 0; i < _documents.Count; i++)
        {
            var document = _documents[i];
            batch.CreateItemStream(
                new MemoryStream(document.Array!, document.Offset, document.Count, writable: false, publiclyVisible: true), _options);
        }

        return batch.ExecuteAsync();
    }

    protected override AttemptResponse ReadResponse(TransactionalBatchResponse response)
    {
        using (response)
            return ResponseOf(response);
    }

    protected override AttemptResponse? ReadError(Exception error)
    {
        if (ResponseReading.From(error) is not { } response)
            return null;
        _documents.Abandon();
        return response;
    }

    private static AttemptResponse ResponseOf(TransactionalBatchResponse response)
    {
        var status = (int)response.StatusCode;
        if (response.IsSuccessStatusCode)
            return new AttemptResponse(AttemptKind.Succeeded, status, 0, ResponseReading.ChargeOf(response.RequestCharge), default, null);

        var subStatus = ResponseReading.SubStatusOf(response.Headers);
        var kind = ResponseReading.KindOf(status, subStatus);

        // A conflict on any document but the first means that somebody else's document is there, because batches are atomic.
        if (kind == AttemptKind.AlreadyThere && (response.Count == 0 || (int)response[0].StatusCode != 409))
            kind = AttemptKind.Failed;
        return new AttemptResponse(
            kind,
            status,
            subStatus,
            ResponseReading.ChargeOf(response.RequestCharge),
            response.RetryAfter ?? default,
            status is 409 or 429 ? null : ServiceText.Clean(response.ErrorMessage));
    }
}

/// <summary>
/// The documents of one batch, and the current part of them, which has one partition key and is written together. Documents that keep their
/// own keys become one part for each series of equal keys.
/// </summary>
internal sealed class BatchedDocuments(IDocumentSource source, PartitionRanges partitions, int batchSize) : IDisposable
{
    private readonly int[] _ends = new int[batchSize];
    private readonly string[] _keys = new string[source.MixesKeysInBatch ? batchSize : 0];
    private readonly AttemptBuffer _buffer = new(source.MaxBytes * batchSize);
    private long _first;
    private int _all;
    private int _start;

    /// <summary>Documents of the part.</summary>
    public int Count { get; private set; }

    /// <summary>The key that the part's documents are written with.</summary>
    public string Key { get; private set; } = "";

    /// <summary>The values of the part's partition key.</summary>
    public IReadOnlyList<string> KeyValues { get; private set; } = [];

    /// <summary>Ordinal of the physical partition that holds the key.</summary>
    public int Partition { get; private set; }

    /// <summary>Bytes of the part's documents.</summary>
    public int Bytes => _ends[_start + Count - 1] - StartOf(_start);

    /// <summary>Makes the documents, and takes the first part.</summary>
    public void Prepare(long first, int count)
    {
        (_first, _all) = (first, count);
        var shared = _keys.Length == 0 ? source.KeyOfBatch(first / batchSize) : null;
        var end = 0;
        for (var i = 0; i < count; i++)
        {
            var key = shared ?? (_keys[i] = source.KeyOf(first + i));
            end += source.Write(first + i, key, _buffer.Bytes.AsSpan(end));
            _ends[i] = end;
        }

        (_start, Count) = (0, 0);
        Take(shared);
    }

    public bool NextPart()
    {
        if (_start + Count == _all)
            return false;
        _start += Count;
        Take(shared: null);
        return true;
    }

    /// <summary>A document of the part as UTF-8 JSON.</summary>
    public ArraySegment<byte> this[int index]
    {
        get
        {
            var start = StartOf(_start + index);
            return new ArraySegment<byte>(_buffer.Bytes, start, _ends[_start + index] - start);
        }
    }

    public string IdOf(int index) => source.IdOf(_first + _start + index);

    /// <inheritdoc cref="AttemptBuffer.Abandon"/>
    public void Abandon() => _buffer.Abandon(_ends[_all - 1]);

    public void Dispose() => _buffer.Dispose();

    private void Take(string? shared)
    {
        Key = shared ?? _keys[_start];
        Count = shared is null ? 1 : _all;
        while (_start + Count < _all && _keys[_start + Count] == Key)
            Count++;
        KeyValues = source.KeyValuesOf(_first + _start, Key);
        Partition = partitions.IndexOf(KeyValues);
    }

    private int StartOf(int document) => document == 0 ? 0 : _ends[document - 1];
}
