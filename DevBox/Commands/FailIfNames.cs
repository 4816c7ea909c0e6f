using ScaleOut.Experiments.Reporting;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>The numbers that <c>--fail-if</c> may name, known before anything is measured.</summary>
internal static class FailIfNames
{
    public static IReadOnlyCollection<string> OfRun
    {
        get
        {
            var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
            var report = RunReportBuilder.Build(ending, new LegHarvest([], LostLegs: 0));
            return [.. ReportNumbers.Of(report with { Utilization = new Utilization() }).Keys];
        }
    }

    public static IReadOnlyCollection<string> OfExperiment => ExperimentNumbers.Names;
}
