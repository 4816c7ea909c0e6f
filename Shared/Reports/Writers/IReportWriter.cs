namespace ScaleOut.Reports.Writers;

/// <summary>Writes a report in one form.</summary>
public interface IReportWriter
{
    /// <summary>Name of the item in the run store, such as <c>report.json</c>.</summary>
    string FileName { get; }

    /// <summary>Media type for HTTP.</summary>
    string MediaType { get; }

    /// <summary>The whole form, UTF-8.</summary>
    byte[] Write(RunReport report);
}
