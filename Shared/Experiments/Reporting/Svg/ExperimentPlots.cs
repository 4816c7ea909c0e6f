using ScaleOut.Reports.Svg;

namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>The plots that an experiment has figures for.</summary>
internal static class ExperimentPlots
{
    public static IReadOnlyList<Plot> Of(ExperimentReport report)
    {
        if (report.Variants.All(variant => variant.Rate is null))
            return [];
        return
        [
            VariantPlots.Rates(report),
            .. CurvePlots.Of(report),
            VariantPlots.Latency(report),
            .. VariantPlots.Partitions(report),
            .. VariantPlots.Calls(report),
        ];
    }
}
