using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>A create or an upsert of one document; with a bulk client the SDK groups them by physical partition.</summary>
public sealed class PointOperation : IWorkloadOperation
{
    private readonly OperationContext _context;
    private readonly bool _upsert;
    private readonly ItemRequestOptions _options;
    private readonly AttemptBuffer _buffer;
    private int _length;
    private PartitionKey _key;

    public PointOperation(OperationContext context, bool upsert)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _upsert = upsert;
        _options = new ItemRequestOptions { EnableContentResponseOnWrite = context.ContentResponseOnWrite };
        _buffer = new AttemptBuffer(context.Documents.MaxBytes);
    }

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        var key = _context.Documents.KeyOf(first);
        _key = new PartitionKey(key);
        Partition = _context.Partitions.IndexOf(key);
        _length = _context.Documents.Write(first, key, _buffer.Bytes);
    }

    /// <inheritdoc/>
    public async Task<AttemptAnswer> TryAsync()
    {
        try
        {
            var stream = new MemoryStream(_buffer.Bytes, 0, _length, writable: false, publiclyVisible: true);
            using var response = _upsert
                ? await _context.Container.UpsertItemStreamAsync(stream, _key, _options)
                : await _context.Container.CreateItemStreamAsync(stream, _key, _options);
            return AnswerReading.Of(response);
        }
        catch (Exception e) when (AnswerReading.Of(e) is { } answer)
        {
            _buffer.Abandon(_length);
            return answer;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _buffer.Dispose();
}
