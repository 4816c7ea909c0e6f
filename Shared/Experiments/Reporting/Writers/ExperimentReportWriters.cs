namespace ScaleOut.Experiments.Reporting.Writers;

/// <summary>All forms that an experiment's report is written in.</summary>
public static class ExperimentReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IExperimentReportWriter> All { get; } =
        [new ExperimentJsonWriter(), new ExperimentCsvWriter(), new ExperimentMarkdownWriter(), new ExperimentHtmlWriter()];

    /// <summary>The writer of a form, such as <c>html</c>; null when there is none of that name.</summary>
    public static IExperimentReportWriter? Find(string format) => All.FirstOrDefault(writer => writer.FileName == $"report.{format}");
}
