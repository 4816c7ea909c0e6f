using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

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
    public async Task<AttemptAnswer> TryAsync()
    {
        try
        {
            using var response = await context.Container.DeleteItemStreamAsync(_id, _key, NoContent);
            return AnswerReading.Of(response, AnswerReading.KindOfDelete);
        }
        catch (Exception e) when (AnswerReading.Of(e, AnswerReading.KindOfDelete) is { } answer)
        {
            return answer;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
