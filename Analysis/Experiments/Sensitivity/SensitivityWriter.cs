using System.Globalization;
using System.Text;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Evidence;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Storage;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>Keeps the sensitivity of an experiment's findings beside its reports.</summary>
public static class SensitivityWriter
{
    /// <summary>The item with all figures.</summary>
    public const string JsonName = "sensitivity.json";

    /// <summary>The page with plot and tables.</summary>
    public const string PageName = "sensitivity.html";

    /// <summary>Writes both forms, and the experiment's own report again with a sentence at each finding, which it gives back.</summary>
    public static async Task<ExperimentReport> SaveAsync(
        IRunStore store, SensitivityReport report, ExperimentReport own, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(report);
        var files = new ExperimentFiles(store, report.Id);
        await files.WriteReportAsync(
            JsonName, StoredItem.Write($"{report.Id}/{JsonName}", report, ScaleOutJson.Indented), cancellationToken);
        await files.WriteReportAsync(PageName, Encoding.UTF8.GetBytes(PageOf(report)), cancellationToken);
        var named = report.NameIn(own);
        await ExperimentReportSaver.WriteAsync(files, named, cancellationToken);
        return named;
    }

    /// <summary>Reads <see cref="JsonName"/>.</summary>
    /// <exception cref="EvidenceException">It is none, or was changed after it was written.</exception>
    public static SensitivityReport Read(ReadOnlySpan<byte> json) =>
        StoredItem.Read<SensitivityReport>(item: null, json, ScaleOutJson.Indented);

    /// <summary>The whole page: one file that asks for nothing else.</summary>
    internal static string PageOf(SensitivityReport report)
    {
        var name = report.Name ?? $"Experiment {report.Id}";
        return new ReportPage
        {
            Subject = $"Sensitivity of {name}",
            Simulated = true,
            Result = [SensitivityText.Headline(report)],
            About =
            [
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Nothing was run for it: the measured runs are simulated in virtual time under other physics; seed {report.Seed}."),
            ],
            Parts =
            [
                .. report.Findings.Any(finding => finding.NotSimulated is null)
                    ? [ReportPart.From(SensitivityPlot.From(report))]
                    : Array.Empty<ReportPart>(),
                ReportPart.List(
                    "table notes", "In words", [.. report.Findings.Select(finding => $"{finding.Id}: {finding.Sentence}")]),
                .. new[]
                {
                    SensitivityText.Findings(report), SensitivityText.Control(report), SensitivityText.Parameters(report),
                    SensitivityText.Draws(report),
                }.Select(ReportPart.From),
                ReportPart.Page(_ => Tag("p", Class("meta"), Tag("a", Attr("href", "report.html"), $"The report of {name}"))),
            ],
        }.ToHtml();
    }
}
