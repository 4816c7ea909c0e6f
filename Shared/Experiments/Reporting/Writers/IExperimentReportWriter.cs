namespace ScaleOut.Experiments.Reporting.Writers;

/// <summary>Writes an experiment's report in one form.</summary>
public interface IExperimentReportWriter
{
    /// <summary>Name of the item in the run store, such as <c>report.json</c>.</summary>
    string FileName { get; }

    /// <summary>Media type for HTTP.</summary>
    string MediaType { get; }

    /// <summary>The whole form, UTF-8.</summary>
    byte[] Write(ExperimentReport report);
}
