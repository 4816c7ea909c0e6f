using System.Text;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>
/// <c>report.html</c>: one file with plots and tables that asks for nothing else; light and dark, for screens, phones and paper.
/// </summary>
public sealed class HtmlReportWriter : IReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.html";

    /// <inheritdoc/>
    public string MediaType => "text/html";

    /// <inheritdoc/>
    public byte[] Write(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return Encoding.UTF8.GetBytes(Page.From(report));
    }
}
