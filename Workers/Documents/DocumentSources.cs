using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Workers.Documents;

/// <summary>Makes document sources.</summary>
public static class DocumentSources
{
    /// <summary>The documents that an assignment puts, or those of another run that it meets.</summary>
    /// <exception cref="DocumentException">They cannot be made, such as from a CSV file that is broken.</exception>
    public static IDocumentSource For(WorkerAssignment assignment)
    {
        ArgumentNullException.ThrowIfNull(assignment);
        var (document, runId) = (assignment.Document, assignment.Workload.OfRun ?? assignment.RunId);
        var keyPath = assignment.Container.PartitionKeyPath;
        var keyIsId = keyPath == DocumentShape.UniquePath;
        return document.Kind switch
        {
            DocumentKind.PerfTest => new PerfTestDocuments(runId, keyIsId),
            DocumentKind.Device => new DeviceDocuments(runId, keyIsOwner: !keyIsId),
            DocumentKind.Flights when document.Csv is not null => new CsvDocuments(runId, CsvTable.Read(document), keyIsId),
            DocumentKind.Flights => new FlightDocuments(runId, document, keyIsId),
            DocumentKind.Template => new TemplateDocuments(runId, document.Template!, keyPath.TrimStart('/')),
            var kind => throw new ArgumentOutOfRangeException(nameof(assignment), kind, "No such kind of document."),
        };
    }
}
