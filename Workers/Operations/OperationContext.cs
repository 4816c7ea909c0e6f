using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.Workers.Operations;

/// <summary>What all operations of a leg share.</summary>
/// <param name="Container">The container in the worker's own client.</param>
/// <param name="Documents">Where documents come from.</param>
/// <param name="Partitions">The container's physical partitions as the leg began.</param>
/// <param name="ContentResponseOnWrite">Whether writes return the document.</param>
public sealed record OperationContext(Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite)
{
    /// <summary>Documents that reads, queries and deletes choose from.</summary>
    public long Population { get; init; } = 1;

    /// <summary>Documents per batch that they were written in; null when each was written alone.</summary>
    public int? WrittenInBatchesOf { get; init; }

    /// <summary>The document that an operation on documents that are there addresses.</summary>
    public long DocumentOf(long number) => number % Population;
}
