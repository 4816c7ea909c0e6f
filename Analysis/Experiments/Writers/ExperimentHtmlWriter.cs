using System.Text;

namespace ScaleOut.Analysis.Experiments.Writers;
/// <summary>
/// <c>report.html</c>: one file with plots and tables that asks for nothing else; light and dark, for screens, phones and paper.
/// </summary>
public sealed class ExperimentHtmlWriter : IExperimentReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.html";

    /// <inheritdoc/>
    public string MediaType => "text/html";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return Encoding.UTF8.GetBytes(ExperimentPage.From(report));
    }
}
