using ScaleOut.Analysis.Charts;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>The plots that a report has figures for.</summary>
internal static class ReportPlots
{
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var plots = new List<Plot>();
        if (report.Series.Count > 0)
            plots.Add(ThroughputPlot.From(report));
        plots.AddRange(LatencyBandPlot.From(report));
        plots.AddRange(ResponseTimePlot.From(report));
        if (report.LatencyMs.Operation.P50 is not null || report.LatencyMs.Attempt.P50 is not null)
            plots.Add(LatencyPlot.From(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 0)
            plots.Add(PartitionPlot.From(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 1 && report.Partitions.Any(partition => partition.BudgetPerSecond > 0))
            plots.Add(PartitionHeatMap.From(report));
        plots.AddRange(WorkerTimePlot.From(report));
        return plots;
    }
}
