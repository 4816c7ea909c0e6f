using System.Text;
using ScaleOut.Analysis.Reports.Tables;
using ScaleOut.Analysis.Text;
using ScaleOut.Orchestration;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary><c>report.md</c>: readable in a terminal and on GitHub, without plots.</summary>
public sealed class MarkdownReportWriter : IReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.md";

    /// <inheritdoc/>
    public string MediaType => "text/markdown";

    /// <inheritdoc/>
    public byte[] Write(RunReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var text = new StringBuilder();
        text.Append("# Run ").Append(MarkdownText.Escape(report.Id));
        if (report.Name is { } name)
            text.Append(": ").Append(MarkdownText.Escape(name));
        text.Append("\n\n");
        if (report.Simulated)
            text.Append("*Simulated: all numbers are from the simulated account.*\n\n");
        text.Append("**").Append(Sentences.Headline(report)).Append(".** ").Append(MarkdownText.Escape(Sentences.State(report)))
            .Append("\n\n");
        if (Sentences.Bound(report) is { } bound)
            text.Append(MarkdownText.Escape(bound)).Append("\n\n");

        if (report.Warnings.Count > 0)
        {
            text.Append(report.State == RunState.Complete ? "## Warnings\n\n" : "## Reasons and warnings\n\n");
            foreach (var warning in report.Warnings)
                text.Append("- ").Append(MarkdownText.Escape(warning)).Append('\n');
            text.Append('\n');
        }

        foreach (var table in ReportTables.From(report))
            Append(text, table, report.Simulated);
        return Encoding.UTF8.GetBytes(text.ToString().TrimEnd('\n') + "\n");
    }

    private static void Append(StringBuilder text, TextTable table, bool simulated)
    {
        text.Append("## ").Append(table.Title).Append(simulated ? " (simulated)\n\n" : "\n\n").Append(MarkdownText.Table(table))
            .Append('\n');
        if (table.Note is { } note)
            text.Append(MarkdownText.Escape(note)).Append("\n\n");
    }
}
