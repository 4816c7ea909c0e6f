using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>An operation on an existing document, by its id and partition key.</summary>
/// <param name="kindOf">What a status and sub-status mean for the operation.</param>
internal abstract class ExistingDocumentOperation(OperationContext context, Func<int, int, AttemptKind> kindOf)
    : AccountCall<ResponseMessage>, IWorkloadOperation
{
    private protected Container Container => context.Container;

    private protected string Id { get; private set; } = "";

    private protected PartitionKey Key { get; private set; }

    public int Partition { get; private set; }

    public void Prepare(long first, int count) => (Id, Key, Partition) = context.ExistingOf(first);

    public void Dispose() => GC.SuppressFinalize(this);

    protected override AttemptResponse ReadResponse(ResponseMessage response)
    {
        using (response)
            return ResponseReading.From(response, kindOf);
    }

    protected override AttemptResponse? ReadError(Exception error) => ResponseReading.From(error, kindOf);
}

/// <summary>A point read by id and partition key.</summary>
internal sealed class ReadOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfRead)
{
    protected override Task<ResponseMessage> CallAsync() => Container.ReadItemStreamAsync(Id, Key);
}

/// <summary>A delete by id and partition key; with a bulk client the SDK groups them by physical partition.</summary>
internal sealed class DeleteOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfDelete)
{
    private static readonly ItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };

    protected override Task<ResponseMessage> CallAsync() => Container.DeleteItemStreamAsync(Id, Key, NoContent);
}

/// <summary>A patch by id and partition key that sets one property, always to the same value, so that it may be repeated.</summary>
internal sealed class PatchDocumentOperation(OperationContext context) : ExistingDocumentOperation(context, ResponseReading.KindOfRead)
{
    private static readonly PatchItemRequestOptions NoContent = new() { EnableContentResponseOnWrite = false };
    private static readonly IReadOnlyList<PatchOperation> Changes = [PatchOperation.Set(WorkloadSpec.PatchedPath, true)];

    protected override Task<ResponseMessage> CallAsync() => Container.PatchItemStreamAsync(Id, Key, Changes, NoContent);
}
