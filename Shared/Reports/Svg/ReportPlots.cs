namespace ScaleOut.Reports.Svg;

/// <summary>The plots that a report has figures for.</summary>
internal static class ReportPlots
{
    public static IReadOnlyList<Plot> Of(RunReport report)
    {
        var plots = new List<Plot>();
        if (report.Series.Count > 0)
            plots.Add(ThroughputPlot.Of(report));
        if (report.LatencyMs.Operation.P50 is not null || report.LatencyMs.Attempt.P50 is not null)
            plots.Add(LatencyPlot.Of(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 0)
            plots.Add(PartitionPlot.Of(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 1 && report.Partitions.Any(partition => partition.BudgetPerSecond > 0))
            plots.Add(PartitionHeatMap.Of(report));
        if (report.Series.Any(point => point.Throttled > 0))
            plots.Add(ThrottlePlot.Of(report));
        return plots;
    }
}
