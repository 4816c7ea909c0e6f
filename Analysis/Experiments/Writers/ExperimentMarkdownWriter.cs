using System.Text;
using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary><c>report.md</c>: readable in a terminal and on GitHub, without plots.</summary>
public sealed class ExperimentMarkdownWriter : IExperimentReportWriter
{
    /// <inheritdoc/>
    public string FileName => "report.md";

    /// <inheritdoc/>
    public string MediaType => "text/markdown";

    /// <inheritdoc/>
    public byte[] Write(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var text = new StringBuilder();
        text.Append("# Experiment ").Append(MarkdownText.Escape(report.Id));
        if (report.Name is { } name)
            text.Append(": ").Append(MarkdownText.Escape(name));
        text.Append("\n\n");
        foreach (var label in ExperimentSentences.Labels(report))
            text.Append('*').Append(MarkdownText.Escape(label)).Append("*\n\n");
        text.Append("**").Append(MarkdownText.Escape(ExperimentSentences.Headline(report))).Append("**\n\n");
        List(text, "Warnings", report.Warnings);
        if (report.Findings.Count > 0)
        {
            text.Append("## Findings").Append(Label(report)).Append("\n\n");
            foreach (var finding in report.Findings)
                Append(text, finding);
        }

        foreach (var table in ExperimentTables.From(report))
        {
            text.Append("## ").Append(table.Title).Append(Label(report)).Append("\n\n").Append(MarkdownText.Table(table)).Append('\n');
            if (table.Note is { } note)
                text.Append(MarkdownText.Escape(note)).Append("\n\n");
        }

        List(text, "Notes of the spec", report.Spec.Notes);
        return Encoding.UTF8.GetBytes(text.ToString().TrimEnd('\n') + "\n");
    }

    private static string Label(ExperimentReport report) => report.Simulated ? " (simulated)" : "";

    private static void Append(StringBuilder text, FindingResult finding)
    {
        text.Append("- **").Append(FindingText.Label(finding)).Append("**: ")
            .Append(MarkdownText.Escape($"{finding.Claim} ({finding.Id})")).Append("\n  ")
            .Append(MarkdownText.Escape(finding.Sentence)).Append('\n');
        foreach (var line in FindingText.Details(finding))
            text.Append("  - ").Append(MarkdownText.Escape(line)).Append('\n');
        text.Append('\n');
    }

    private static void List(StringBuilder text, string title, IReadOnlyList<string> items)
    {
        if (items.Count == 0)
            return;
        text.Append("## ").Append(title).Append("\n\n");
        foreach (var item in items)
            text.Append("- ").Append(MarkdownText.Escape(item)).Append('\n');
        text.Append('\n');
    }
}
