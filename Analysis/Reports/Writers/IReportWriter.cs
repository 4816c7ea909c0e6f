namespace ScaleOut.Analysis.Reports.Writers;

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

/// <summary>All forms that a report is written in.</summary>
public static class ReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IReportWriter> All { get; } =
    [
        new JsonReportWriter(), new CsvReportWriter(), new MarkdownReportWriter(), new HtmlReportWriter(),
    ];
}
