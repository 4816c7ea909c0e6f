using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// One operation of an operation loop. Its documents are made once, then tried until there is an outcome. Not thread-safe.
/// </summary>
internal interface IWorkloadOperation : IDisposable
{
    /// <summary>Ordinal of the physical partition of the prepared documents.</summary>
    int Partition { get; }

    /// <summary>
    /// What the figures are counted for besides the leg: for a mix the number of the operation's <see cref="WorkloadKind"/>, for an action
    /// the index of its current step.
    /// </summary>
    int Part => 0;

    /// <summary>Whether the parts are the steps of an action, which counts once.</summary>
    bool IsAction => false;

    /// <summary>
    /// Count of documents in the current part. An operation on several partition keys is done in parts, one for each key. Null means all
    /// documents that were prepared.
    /// </summary>
    int? PartDocuments => null;

    /// <summary>Bytes of the documents of the current part as the run makes them; 0 for operations that write none.</summary>
    int PartBytes => 0;

    /// <summary>Goes on to the next part; false if there is none.</summary>
    bool NextPart() => false;

    /// <param name="first">Number of the first document.</param>
    void Prepare(long first, int count);

    /// <summary>
    /// Hands the prepared documents to the SDK once. <see cref="Read"/> says how the task ended. There is no cancellation token: it would
    /// cost the SDK about 2% of an insert's CPU, and a loop that must end abandons its attempt.
    /// </summary>
    /// <returns>The SDK's own task. A state machine around it would cost another allocation for each attempt.</returns>
    Task SendAsync();

    /// <summary>
    /// The outcome of the attempt, once the task of <see cref="SendAsync"/> has ended. Throws only what comes from neither the account nor
    /// the network.
    /// </summary>
    AttemptResponse Read();
}

/// <summary>The attempts of an operation that are calls of one of the account's clients.</summary>
internal abstract class AccountCall<T>
{
    private Task<T>? _call;

    /// <inheritdoc cref="IWorkloadOperation.SendAsync"/>
    public Task SendAsync()
    {
        try
        {
            return _call = CallAsync();
        }
        catch (Exception e)
        {
            // Read has it, as any other error of the attempt.
            return _call = Task.FromException<T>(e);
        }
    }

    /// <inheritdoc cref="IWorkloadOperation.Read"/>
    public virtual AttemptResponse Read()
    {
        try
        {
            return ReadResponse(_call!.GetAwaiter().GetResult());
        }
        catch (Exception e) when (ReadError(e) is { } response)
        {
            return response;
        }
    }

    protected abstract Task<T> CallAsync();

    protected abstract AttemptResponse ReadResponse(T response);

    /// <returns>Null if the error comes from neither the account nor the network.</returns>
    protected abstract AttemptResponse? ReadError(Exception error);
}

/// <summary>What all operations of a leg share.</summary>
/// <param name="Partitions">The physical partitions as the leg began.</param>
internal sealed record OperationContext(
    Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite)
{
    public ItemRequestOptions WriteOptions { get; } = new() { EnableContentResponseOnWrite = ContentResponseOnWrite };

    /// <summary>Number of the existing document that the operation of a number works on.</summary>
    public Func<long, long> DocumentOf { get; init; } = number => number;

    /// <summary>Documents per batch in which the existing documents were written; null if each was written alone.</summary>
    public int? WrittenInBatchesOf { get; init; }

    /// <summary>How to address the existing document that the operation of a number works on, and the ordinal of its partition.</summary>
    public (string Id, PartitionKey Key, int Partition) ExistingOf(long number)
    {
        var document = DocumentOf(number);
        var (key, partition) = PlaceOf(document, Documents.KeyOf(document, WrittenInBatchesOf));
        return (Documents.IdOf(document), key, partition);
    }

    /// <summary>The SDK's form of a document's partition key, and the ordinal of its partition.</summary>
    /// <param name="key">The key that the document is written with.</param>
    public (PartitionKey Key, int Partition) PlaceOf(long number, string key)
    {
        if (!Documents.HasKeyLevels)
            return (new PartitionKey(key), Partitions.IndexOf(key));
        var values = Documents.KeyValuesOf(number, key);
        return (KeyFrom(values), Partitions.IndexOf(values));
    }

    /// <summary>The SDK's form of a partition key, or of the first values of a hierarchical one.</summary>
    public static PartitionKey KeyFrom(IReadOnlyList<string> values)
    {
        if (values is [var only])
            return new PartitionKey(only);
        var key = new PartitionKeyBuilder();
        foreach (var value in values)
            key.Add(value);
        return key.Build();
    }
}
