using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Documents;

/// <summary>Makes the document source that a worker's assignment asks for.</summary>
public static class DocumentSources
{
    /// <summary>The source for an assignment.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The kind has no source.</exception>
    public static IDocumentSource For(WorkerAssignment assignment)
    {
        ArgumentNullException.ThrowIfNull(assignment);
        return assignment.Document.Kind switch
        {
            DocumentKind.PerfTest => new PerfTestDocuments(assignment.RunId, keyIsId: assignment.Container.PartitionKeyPath == "/id"),
            var kind => throw new ArgumentOutOfRangeException(nameof(assignment), kind, "No such kind of document."),
        };
    }
}
