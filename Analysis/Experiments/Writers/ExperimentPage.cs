using ScaleOut.Analysis.Experiments.Charts;
using ScaleOut.Analysis.Experiments.Tables;

namespace ScaleOut.Analysis.Experiments.Writers;

/// <summary><c>report.html</c> of an experiment.</summary>
internal sealed class ExperimentHtmlWriter() : PageHtmlWriter<ExperimentReport>(ExperimentPage.From);

/// <summary><c>report.md</c> of an experiment.</summary>
internal sealed class ExperimentMarkdownWriter() : PageMarkdownWriter<ExperimentReport>(ExperimentPage.From);

/// <summary>What an experiment's report shows to people.</summary>
internal static class ExperimentPage
{
    public static ReportPage From(ExperimentReport report)
    {
        var charts = ExperimentCharts.From(report);
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
                .. charts.Take(1).Select(ReportPart.From),
                .. charts.Skip(1).Where(chart => chart.Id == CurveCharts.WorkersId).Select(ReportPart.From),
                ReportPart.List("warnings", "Warnings", report.Warnings),
                FindingParts.From(report),
                .. charts.Skip(1).Where(chart => chart.Id != CurveCharts.WorkersId).Select(ReportPart.From),
                .. ExperimentTables.From(report).Select(ReportPart.From),
                ReportPart.List("table notes", "Notes of the spec", report.Spec.Notes),
            ],
        };
    }
}
