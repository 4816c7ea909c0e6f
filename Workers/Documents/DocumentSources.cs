using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Documents;

/// <summary>Makes document sources.</summary>
public static class DocumentSources
{
    /// <summary>The documents that an assignment writes, or those of another run that it works on.</summary>
    /// <exception cref="DocumentException">They cannot be made, such as from a CSV file that is broken.</exception>
    public static IDocumentSource For(WorkerAssignment assignment)
    {
        ArgumentNullException.ThrowIfNull(assignment);
        return For(assignment.Document, assignment.Workload.OfRun ?? assignment.RunId, assignment.Container.PartitionKeyPath);
    }

    /// <summary>The documents of a run.</summary>
    /// <param name="document">What they are.</param>
    /// <param name="runId">The run: their ids follow from it.</param>
    /// <param name="keyPath">Path of the partition key, such as <c>/PartitionKey</c>.</param>
    /// <exception cref="DocumentException">They cannot be made, such as from a CSV file that is broken.</exception>
    public static IDocumentSource For(DocumentSpec document, string runId, string keyPath)
    {
        ArgumentNullException.ThrowIfNull(document);
        ArgumentNullException.ThrowIfNull(keyPath);
        var keyIsId = keyPath == DocumentShape.UniquePath;
        return document.Kind switch
        {
            DocumentKind.PerfTest => new PerfTestDocuments(runId, keyIsId),
            DocumentKind.Device => new DeviceDocuments(runId, keyIsOwner: !keyIsId),
            DocumentKind.Flights when document.Csv is not null => new CsvDocuments(runId, CsvTable.Read(document), keyIsId),
            DocumentKind.Flights => new FlightDocuments(runId, document, keyIsId),
            DocumentKind.Template => new TemplateDocuments(runId, document.Template!, keyPath.TrimStart('/')),
            var kind => throw new ArgumentOutOfRangeException(nameof(document), kind, "No such kind of document."),
        };
    }
}
