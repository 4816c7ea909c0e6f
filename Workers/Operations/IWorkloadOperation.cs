using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Workers.Operations;

/// <summary>
/// One operation of an operation loop: its documents are made once, then tried until there is an outcome. Not thread-safe; every loop has
/// its own.
/// </summary>
internal interface IWorkloadOperation : IDisposable
{
    /// <summary>Ordinal of the physical partition of the documents that were prepared last.</summary>
    int Partition { get; }

    /// <summary>
    /// Documents of the current part: an operation on several partition keys is done key by key. Null means all that were prepared.
    /// </summary>
    int? PartDocuments => null;

    /// <summary>Bytes of the documents of the current part as the run makes them; 0 for what writes none.</summary>
    int PartBytes => 0;

    /// <summary>Goes on to the next part; false when there is none.</summary>
    bool NextPart() => false;

    /// <summary>Makes the documents of an operation.</summary>
    /// <param name="first">Number of the first document.</param>
    /// <param name="count">How many documents the operation carries.</param>
    void Prepare(long first, int count);

    /// <summary>
    /// Hands the prepared documents to the SDK once. Never throws for what the account or the network does. It takes no cancellation token:
    /// one costs the SDK about 2% of an insert's CPU, and a loop that must end leaves its attempt behind instead.
    /// </summary>
    Task<AttemptResponse> TryAsync();
}

/// <summary>What all operations of a leg share.</summary>
/// <param name="Container">The container in the worker's own client.</param>
/// <param name="Partitions">The container's physical partitions as the leg began.</param>
internal sealed record OperationContext(
    Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite)
{
    /// <summary>Documents that reads, queries and deletes choose from.</summary>
    public long Preload { get; init; } = 1;

    /// <summary>Documents per batch that they were written in; null when each was written alone.</summary>
    public int? WrittenInBatchesOf { get; init; }

    /// <summary>The document that an operation on documents that are there addresses.</summary>
    public long DocumentOf(long number) => number % Preload;
}
