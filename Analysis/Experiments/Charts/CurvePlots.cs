using System.Globalization;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Charts;

/// <summary>Rates over workers, operations in flight and provisioned throughput, as far as variants differ in these alone.</summary>
internal static class CurvePlots
{
    /// <summary>Id of the plot over the number of workers.</summary>
    public const string WorkersId = "workers";

    public static IReadOnlyList<Plot> From(ExperimentReport report) =>
    [
        .. Workers(report),
        .. Simple(
            report, "concurrency", "Rate by operations in flight", "operations in flight (logarithmic)", InFlight, "client.concurrency",
            "documents"),
        .. Simple(
            report, "throughput", "Rate by provisioned throughput", "RU/s (logarithmic)", variant => variant.Plan.Container.Throughput,
            "container.throughput", "simulation.physicalPartitions"),
    ];

    private static double InFlight(VariantReport variant) =>
        Enumerable.Range(0, variant.Plan.Workers).Sum(worker => variant.Plan.SettingsOf(worker).Concurrency);

    /// <summary>With the Universal Scalability Law where it could be fitted.</summary>
    private static IReadOnlyList<Plot> Workers(ExperimentReport report)
    {
        var fitted = report.Findings.Where(finding => finding.Law is { Law: not null }).ToList();
        var series = fitted.Select(Fitted).ToList();
        var shown = fitted.SelectMany(finding => finding.Variants).ToHashSet(StringComparer.Ordinal);
        series.AddRange(VariantSeries.By(report.Variants, variant => variant.Plan.Workers, "workers", "documents")
            .Where(group => !group.All(variant => shown.Contains(variant.Name)))
            .Select(group =>
                new CurveSeries(
                    VariantSeries.NameOf(group), [.. group.Select(variant => VariantSeries.Point(variant, variant.Plan.Workers))])));
        if (series.Count == 0)
            return [];
        series = [.. series.Take(CurvePlot.MostSeries)];
        var plot = new CurvePlot(series, "workers", "documents/s", logarithmic: false);
        var laws = fitted.Select(finding => LawText(finding)).ToList();
        return [new Plot(WorkersId, laws.Count > 0 ? "Rate by workers, with the Universal Scalability Law" : "Rate by workers",
            laws.Count > 0 ? string.Join(" ", laws) : "Documents per second over the number of workers.", plot.Legend, plot.Draw,
            laws.Count > 0 ? "Hollow points are shown but left out of the fit, as something else than the clients bound them." : null)];
    }

    private static CurveSeries Fitted(FindingResult finding)
    {
        var (fit, law) = (finding.Law!, finding.Law!.Law!);
        var end = fit.ShownPeak is { } peak && peak <= 2.0 * fit.MostWorkers ? Math.Max(fit.MostWorkers, peak * 1.1) : fit.MostWorkers;
        return new CurveSeries(
            finding.Id,
            [.. fit.Points.Select(point => new CurvePoint(point.Workers, point.Rate, null,
                $"{Words.Amount(point.Workers, "worker")}: "
                    + $"{Numbers.Brief(point.Rate)}/s{(point.LeftOut is null ? "" : $", left out: {point.LeftOut}")}",
                point.LeftOut is not null))],
            law.RateAt,
            Math.Max(end, fit.Points.Max(point => point.Workers)),
            fit.ShownPeak,
            workers => fit.IntervalOf(other => other.RateAt(workers)));
    }

    private static string LawText(FindingResult finding)
    {
        var (fit, law) = (finding.Law!, finding.Law!.Law!);
        var peak = fit.ShownPeak is { } workers ? string.Create(
            CultureInfo.InvariantCulture, $"the peak is at {workers:0.#} workers with {Numbers.Brief(law.Limit)}/s")
            : fit.ShownLimit is { } limit ? $"no peak, the limit is {Numbers.Brief(limit)}/s" : "no limit shows";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{finding.Id}: contention {law.Alpha:0.0000}, coherency {law.Beta:0.000000}, one worker {Numbers.Brief(law.Gamma)}/s; "
                + $"{peak}{(fit.ShownPeak > fit.MostWorkers ? ", beyond what was measured" : "")}.");
    }

    private static IReadOnlyList<Plot> Simple(
        ExperimentReport report, string id, string title, string unit, Func<VariantReport, double> x, params string[] fields)
    {
        var groups = VariantSeries.By(report.Variants, x, fields).Take(CurvePlot.MostSeries).ToList();
        if (groups.Count == 0)
            return [];
        var series = groups.Select(group =>
            new CurveSeries(VariantSeries.NameOf(group), [.. group.Select(variant => VariantSeries.Point(variant, x(variant)))])).ToList();
        var plot = new CurvePlot(series, unit, "per second", logarithmic: true);
        var best = groups.Select(group => (Name: VariantSeries.NameOf(group), Best: group.MaxBy(variant => variant.Rate!.Value)!))
            .Select(pair => $"{pair.Name}: highest with {Numbers.Brief(pair.Best.Rate!.Value)}/s at {Numbers.Brief(x(pair.Best))}");
        return [new Plot(id, title, string.Join("; ", best) + ".", plot.Legend, plot.Draw)];
    }
}
