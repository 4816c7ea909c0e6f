namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary>All forms that an experiment's report is written in.</summary>
public static class ExperimentReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IReportWriter<ExperimentReport>> All { get; } =
    [
        new ExperimentJsonWriter(), new ExperimentCsvWriter(), new ExperimentFindingsCsvWriter(), new ExperimentMarkdownWriter(),
        new ExperimentHtmlWriter(),
    ];
}
