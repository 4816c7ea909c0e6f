namespace ScaleOut.Analysis.Experiments.Writers;

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

/// <summary>All forms that an experiment's report is written in.</summary>
public static class ExperimentReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IExperimentReportWriter> All { get; } =
    [
        new ExperimentJsonWriter(), new ExperimentCsvWriter(), new ExperimentFindingsCsvWriter(), new ExperimentMarkdownWriter(),
        new ExperimentHtmlWriter(),
    ];
}
