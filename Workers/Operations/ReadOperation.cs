using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

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
    public async Task<AttemptAnswer> TryAsync()
    {
        try
        {
            using var response = await context.Container.ReadItemStreamAsync(_id, _key);
            return AnswerReading.Of(response, AnswerReading.KindOfRead);
        }
        catch (Exception e) when (AnswerReading.Of(e, AnswerReading.KindOfRead) is { } answer)
        {
            return answer;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
