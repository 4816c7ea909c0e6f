using Microsoft.Azure.Cosmos;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.Workers.Operations;

/// <summary>What all operations of a leg share.</summary>
/// <param name="Container">The container in the worker's own client.</param>
/// <param name="Documents">Where documents come from.</param>
/// <param name="Partitions">The container's physical partitions as the leg began.</param>
/// <param name="ContentResponseOnWrite">Whether writes return the document.</param>
public sealed record OperationContext(Container Container, IDocumentSource Documents, PartitionRanges Partitions, bool ContentResponseOnWrite);
