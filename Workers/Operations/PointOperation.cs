using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Documents;

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
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            var stream = new MemoryStream(_buffer.Bytes, 0, _length, writable: false, publiclyVisible: true);
            using var response = _upsert
                ? await _context.Container.UpsertItemStreamAsync(stream, _key, _options)
                : await _context.Container.CreateItemStreamAsync(stream, _key, _options);
            return ResponseReading.From(response);
        }
        catch (Exception e) when (ResponseReading.From(e) is { } response)
        {
            _buffer.Abandon(_length);
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _buffer.Dispose();
}

/// <summary>A point read by id and partition key.</summary>
public sealed class ReadOperation(OperationContext context) : IWorkloadOperation
{
    private string _id = "";
    private PartitionKey _key;

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        var document = context.DocumentOf(first);
        var key = Documents.DocumentKeys.KeyOf(context.Documents, document, context.WrittenInBatchesOf);
        (_id, _key, Partition) = (context.Documents.IdOf(document), new PartitionKey(key), context.Partitions.IndexOf(key));
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            using var response = await context.Container.ReadItemStreamAsync(_id, _key);
            return ResponseReading.From(response, ResponseReading.KindOfRead);
        }
        catch (Exception e) when (ResponseReading.From(e, ResponseReading.KindOfRead) is { } response)
        {
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}

/// <summary>A delete by id and partition key; with a bulk client the SDK groups them by physical partition.</summary>
public sealed class DeleteOperation(OperationContext context) : IWorkloadOperation
{
    private static readonly ItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };

    private string _id = "";
    private PartitionKey _key;

    /// <inheritdoc/>
    public int Partition { get; private set; }

    /// <inheritdoc/>
    public void Prepare(long first, int count)
    {
        var document = context.DocumentOf(first);
        var key = Documents.DocumentKeys.KeyOf(context.Documents, document, context.WrittenInBatchesOf);
        (_id, _key, Partition) = (context.Documents.IdOf(document), new PartitionKey(key), context.Partitions.IndexOf(key));
    }

    /// <inheritdoc/>
    public async Task<AttemptResponse> TryAsync()
    {
        try
        {
            using var response = await context.Container.DeleteItemStreamAsync(_id, _key, NoContent);
            return ResponseReading.From(response, ResponseReading.KindOfDelete);
        }
        catch (Exception e) when (ResponseReading.From(e, ResponseReading.KindOfDelete) is { } response)
        {
            return response;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
