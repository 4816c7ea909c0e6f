using System.Globalization;
using ScaleOut.Analysis.Experiments.Charts;
using ScaleOut.Analysis.Experiments.Tables;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary><c>report.html</c> of an experiment.</summary>
public sealed class ExperimentHtmlWriter() : PageHtmlWriter<ExperimentReport>(ExperimentPage.From);

/// <summary><c>report.md</c> of an experiment.</summary>
public sealed class ExperimentMarkdownWriter() : PageMarkdownWriter<ExperimentReport>(ExperimentPage.From);

/// <summary>What an experiment's report shows to people.</summary>
internal static class ExperimentPage
{
    public static ReportPage From(ExperimentReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var plots = ExperimentPlots.From(report);
        return new ReportPage
        {
            Subject = $"Experiment {report.Id}",
            Name = report.Name,
            Simulated = report.Simulated,
            Badges =
            [
                new(report.State.ToString(), report.State == ExperimentState.Complete ? "good" : "fair"),
                .. report.Scale < 1
                    ? [new Badge(string.Create(CultureInfo.InvariantCulture, $"scaled to {report.Scale:0.######}"), "fair")]
                    : Array.Empty<Badge>(),
            ],
            Result = ExperimentSentences.Result(report),
            About =
            [
                .. ExperimentSentences.Labels(report),
                ExperimentSentences.Headline(report),
                $"Experiment {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}.",
            ],
            Parts =
            [
                .. plots.Take(1).Select(ReportPart.From),
                .. plots.Skip(1).Where(plot => plot.Id == CurvePlots.WorkersId).Select(ReportPart.From),
                .. SizingTable.From(report.Sizing).Select(ReportPart.From),
                ReportPart.List("warnings", "Warnings", report.Warnings),
                FindingParts.From(report),
                .. plots.Skip(1).Where(plot => plot.Id != CurvePlots.WorkersId).Select(ReportPart.From),
                .. ExperimentTables.From(report).Select(ReportPart.From),
                ReportPart.List("table notes", "Notes of the spec", report.Spec.Notes),
            ],
        };
    }
}
