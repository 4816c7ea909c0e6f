using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>A create or an upsert of one document; with a bulk client the SDK groups them by physical partition.</summary>
internal sealed class PointOperation(OperationContext context, bool upsert) : IWorkloadOperation
{
    private readonly ItemRequestOptions _options = new() { EnableContentResponseOnWrite = context.ContentResponseOnWrite };
    private readonly AttemptBuffer _buffer = new(context.Documents.MaxBytes);
    private readonly Func<int, int, AttemptKind> _kindOf = upsert ? ResponseReading.KindOfUpsert : ResponseReading.KindOf;
    private int _length;
    private PartitionKey _key;

    public int Partition { get; private set; }

    public int PartBytes => _length;

    public void Prepare(long first, int count)
    {
        var key = context.Documents.KeyOf(first);
        (_key, Partition) = context.PlaceOf(first, key);
        _length = context.Documents.Write(first, key, _buffer.Bytes);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<AttemptResponse> TryAsync()
    {
        try
        {
            var stream = new MemoryStream(_buffer.Bytes, 0, _length, writable: false, publiclyVisible: true);
            using var response = upsert
                ? await context.Container.UpsertItemStreamAsync(stream, _key, _options)
                : await context.Container.CreateItemStreamAsync(stream, _key, _options);
            return ResponseReading.From(response, _kindOf);
        }
        catch (Exception e) when (ResponseReading.From(e, _kindOf) is { } response)
        {
            _buffer.Abandon(_length);
            return response;
        }
    }

    public void Dispose() => _buffer.Dispose();
}

/// <summary>An operation on an existing document, by its id and partition key.</summary>
/// <param name="kindOf">What a status and sub-status mean for the operation.</param>
internal abstract class ExistingDocumentOperation(OperationContext context, Func<int, int, AttemptKind> kindOf) : IWorkloadOperation
{
    private string _id = "";
    private PartitionKey _key;

    public int Partition { get; private set; }

    public void Prepare(long first, int count) => (_id, _key, Partition) = context.ExistingOf(first);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<AttemptResponse> TryAsync()
    {
        try
        {
            using var response = await CallAsync(context.Container, _id, _key);
            return ResponseReading.From(response, kindOf);
        }
        catch (Exception e) when (ResponseReading.From(e, kindOf) is { } response)
        {
            return response;
        }
    }

    public void Dispose() => GC.SuppressFinalize(this);

    private protected abstract Task<ResponseMessage> CallAsync(Container container, string id, PartitionKey key);
}

/// <summary>A point read by id and partition key.</summary>
internal sealed class ReadOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfRead)
{
    private protected override Task<ResponseMessage> CallAsync(Container container, string id, PartitionKey key) =>
        container.ReadItemStreamAsync(id, key);
}

/// <summary>A delete by id and partition key; with a bulk client the SDK groups them by physical partition.</summary>
internal sealed class DeleteOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfDelete)
{
    private static readonly ItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };

    private protected override Task<ResponseMessage> CallAsync(Container container, string id, PartitionKey key) =>
        container.DeleteItemStreamAsync(id, key, NoContent);
}

/// <summary>A patch by id and partition key that sets one property, always to the same value, so that it may be repeated.</summary>
internal sealed class PatchDocumentOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfRead)
{
    private static readonly PatchItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };
    private static readonly IReadOnlyList<PatchOperation> Changes = [PatchOperation.Set(WorkloadSpec.PatchedPath, true)];

    private protected override Task<ResponseMessage> CallAsync(Container container, string id, PartitionKey key) =>
        container.PatchItemStreamAsync(id, key, Changes, NoContent);
}
