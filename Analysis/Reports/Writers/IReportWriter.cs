namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>Writes a report of a run, or of an experiment, in one form.</summary>
public interface IReportWriter<in TReport>
{
    /// <summary>Name of the item in the run store, such as <c>report.json</c>.</summary>
    string FileName { get; }

    /// <summary>Media type for HTTP.</summary>
    string MediaType { get; }

    /// <summary>The whole form, UTF-8.</summary>
    byte[] Write(TReport report);
}

/// <summary>
/// <c>report.html</c>: one file with charts and tables that asks for nothing else; light and dark, for screens, phones and paper.
/// </summary>
internal abstract class PageHtmlWriter<TReport> : IReportWriter<TReport>
{
    private readonly Func<TReport, ReportPage> _page;

    /// <param name="page">What the report shows to people.</param>
    private protected PageHtmlWriter(Func<TReport, ReportPage> page) => _page = page;

    /// <inheritdoc/>
    public string FileName => "report.html";

    /// <inheritdoc/>
    public string MediaType => "text/html";

    /// <inheritdoc/>
    public byte[] Write(TReport report) => Encoding.UTF8.GetBytes(_page(report).ToHtml());
}

/// <summary><c>report.md</c>: readable in a terminal and on GitHub, without charts.</summary>
internal abstract class PageMarkdownWriter<TReport> : IReportWriter<TReport>
{
    private readonly Func<TReport, ReportPage> _page;

    /// <param name="page">What the report shows to people.</param>
    private protected PageMarkdownWriter(Func<TReport, ReportPage> page) => _page = page;

    /// <inheritdoc/>
    public string FileName => "report.md";

    /// <inheritdoc/>
    public string MediaType => "text/markdown";

    /// <inheritdoc/>
    public byte[] Write(TReport report) => Encoding.UTF8.GetBytes(_page(report).ToMarkdown());
}

/// <summary>All forms that a run's report is written in.</summary>
public static class ReportWriters
{
    /// <summary>JSON first: the others can be made from it again.</summary>
    public static IReadOnlyList<IReportWriter<RunReport>> All { get; } =
    [
        new JsonReportWriter(), new CsvReportWriter(), new MarkdownReportWriter(), new HtmlReportWriter(),
    ];
}
