using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// One operation of an operation loop. Its documents are made once, then tried until there is an outcome. Not thread-safe.
/// </summary>
internal interface IWorkloadOperation : IDisposable
{
    /// <summary>Ordinal of the physical partition of the prepared documents.</summary>
    int Partition { get; }

    /// <summary>Of a mix: what is done with the prepared document.</summary>
    WorkloadKind Kind => default;

    /// <summary>
    /// Documents of the current part, because an operation on several partition keys is done key by key. Null means all that were prepared.
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
    /// it would cost the SDK about 2% of an insert's CPU, and a loop that must end leaves its attempt behind.
    /// </summary>
    Task<AttemptResponse> TryAsync();
}

/// <summary>What all operations of a leg share.</summary>
/// <param name="Partitions">The physical partitions as the leg began.</param>
internal sealed record OperationContext(
    Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite)
{
    /// <summary>Documents that reads, queries and deletes choose from.</summary>
    public long Preload { get; init; } = 1;

    /// <summary>Documents per batch that they were written in; null if each was written alone.</summary>
    public int? WrittenInBatchesOf { get; init; }

    /// <summary>The document that an operation on documents that are there addresses.</summary>
    public long DocumentOf(long number) => number % Preload;
}
