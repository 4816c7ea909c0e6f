namespace ScaleOut.Reports.Writers;

/// <summary>All forms that a report is written in.</summary>
public static class ReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IReportWriter> All { get; } = [new JsonReportWriter(), new CsvReportWriter(), new MarkdownReportWriter(), new HtmlReportWriter()];

    /// <summary>The writer of a form, such as <c>html</c>; null when there is none of that name.</summary>
    public static IReportWriter? Find(string format) => All.FirstOrDefault(writer => writer.FileName == $"report.{format}");
}
