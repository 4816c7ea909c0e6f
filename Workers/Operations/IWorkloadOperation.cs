using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// One operation of an operation loop. Its documents are made once, then tried until there is an outcome. Not thread-safe.
/// </summary>
internal interface IWorkloadOperation : IDisposable
{
    /// <summary>Ordinal of the physical partition of the prepared documents.</summary>
    int Partition { get; }

    /// <summary>For a mix, what is done with the prepared document.</summary>
    WorkloadKind Kind => default;

    /// <summary>
    /// Count of documents in the current part. An operation on several partition keys is done in parts, one for each key. Null means all
    /// documents that were prepared.
    /// </summary>
    int? PartDocuments => null;

    /// <summary>Bytes of the documents of the current part as the run makes them; 0 for operations that write none.</summary>
    int PartBytes => 0;

    /// <summary>Goes on to the next part; false if there is none.</summary>
    bool NextPart() => false;

    /// <summary>Makes the documents of an operation.</summary>
    /// <param name="first">Number of the first document.</param>
    void Prepare(long first, int count);

    /// <summary>
    /// Hands the prepared documents to the SDK once. Never throws for errors of the account or the network. There is no cancellation token:
    /// it would cost the SDK about 2% of an insert's CPU, and a loop that must end abandons its attempt.
    /// </summary>
    Task<AttemptResponse> TryAsync();
}

/// <summary>What all operations of a leg share.</summary>
/// <param name="Partitions">The physical partitions as the leg began.</param>
internal sealed record OperationContext(
    Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite)
{
    /// <summary>Number of the existing document that the operation of a number works on.</summary>
    public Func<long, long> DocumentOf { get; init; } = number => number;

    /// <summary>Documents per batch in which the existing documents were written; null if each was written alone.</summary>
    public int? WrittenInBatchesOf { get; init; }

    /// <summary>How to address the existing document that the operation of a number works on, and the ordinal of its partition.</summary>
    public (string Id, PartitionKey Key, int Partition) ExistingOf(long number)
    {
        var document = DocumentOf(number);
        var values = Documents.KeyValuesOf(document, Documents.KeyOf(document, WrittenInBatchesOf));
        return (Documents.IdOf(document), KeyFrom(values), Partitions.IndexOf(values));
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

/// <summary>An operation of a mix: what is done with a document follows from its number.</summary>
internal sealed class MixedOperation : IWorkloadOperation
{
    private readonly MixPattern _pattern;
    private readonly Dictionary<WorkloadKind, IWorkloadOperation> _operations;
    private IWorkloadOperation _current;

    /// <param name="create">Makes the operation of a kind, once for each kind that occurs.</param>
    public MixedOperation(MixSpec mix, Func<WorkloadKind, IWorkloadOperation> create)
    {
        _pattern = MixPattern.For(mix);
        _operations = mix.Weights.ToDictionary(one => one.Kind, one => create(one.Kind));
        _current = _operations.Values.First();
    }

    public WorkloadKind Kind { get; private set; }

    public int Partition => _current.Partition;

    public int? PartDocuments => _current.PartDocuments;

    public int PartBytes => _current.PartBytes;

    public bool NextPart() => _current.NextPart();

    public void Prepare(long first, int count)
    {
        Kind = _pattern.KindOf(first);
        _current = _operations[Kind];
        _current.Prepare(first, count);
    }

    public Task<AttemptResponse> TryAsync() => _current.TryAsync();

    public void Dispose()
    {
        foreach (var operation in _operations.Values)
            operation.Dispose();
    }
}
