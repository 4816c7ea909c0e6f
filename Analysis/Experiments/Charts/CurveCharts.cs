namespace ScaleOut.Analysis.Experiments.Charts;

/// <summary>Rates over workers, operations in flight and provisioned throughput, as far as variants differ in these alone.</summary>
internal static class CurveCharts
{
    /// <summary>Id of the chart over the number of workers.</summary>
    public const string WorkersId = "workers";

    public static IEnumerable<Chart> From(ExperimentReport report) => new[]
    {
        Workers(report),
        Simple(
            report, "concurrency", "Rate by operations in flight", "operations in flight (logarithmic)", InFlight, "client.concurrency",
            "documents"),
        Simple(
            report, "throughput", "Rate by provisioned throughput", "RU/s (logarithmic)", variant => variant.Plan.Container.Throughput,
            "container.throughput", "simulation.physicalPartitions"),
    }.OfType<Chart>();

    private static double InFlight(VariantReport variant) =>
        Enumerable.Range(0, variant.Plan.Workers).Sum(worker => variant.Plan.SettingsOf(worker).Concurrency);

    /// <summary>Rates over workers, with the Universal Scalability Law where it could be fitted.</summary>
    private static Chart? Workers(ExperimentReport report)
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
            return null;
        series = [.. series.Take(CurveChart.MaxSeries)];
        var laws = fitted.Select(finding => LawText(finding)).ToList();
        var chart = CurveChart.From(
            WorkersId, laws.Count > 0 ? "Rate by workers, with the Universal Scalability Law" : "Rate by workers",
            laws.Count > 0 ? string.Join(" ", laws) : "Documents per second over the number of workers.", series,
            new CurveAxes("workers", "documents/s", Logarithmic: false));
        return chart with
        {
            Note = laws.Count > 0
                ? "Hollow points are shown but left out of the fit, because something other than the clients bound them."
                : null,
        };
    }

    private static CurveSeries Fitted(FindingResult finding)
    {
        var (fit, law) = (finding.Law!, finding.Law!.Law!);
        var end = fit.ShownPeak is { } peak && peak <= 2.0 * fit.MaxWorkers ? Math.Max(fit.MaxWorkers, peak * 1.1) : fit.MaxWorkers;
        return new CurveSeries(
            finding.Id,
            [.. fit.Points.Select(point => new ChartPoint(
                point.Workers, point.Rate,
                $"{Words.Amount(point.Workers, "worker")}: "
                    + $"{Numbers.Brief(point.Rate)}/s{(point.LeftOut is null ? "" : $", left out: {point.LeftOut}")}",
                IsHollow: point.LeftOut is not null))],
            law.RateAt,
            Math.Max(end, fit.Points.Max(point => point.Workers)),
            fit.ShownPeak,
            workers => fit.IntervalOf(other => other.RateAt(workers)));
    }

    private static string LawText(FindingResult finding)
    {
        var (fit, law) = (finding.Law!, finding.Law!.Law!);
        var peak = fit.ShownPeak is { } workers ? $"the peak is at {workers:0.#} workers with {Numbers.Brief(law.Limit)}/s"
            : fit.ShownLimit is { } limit ? $"no peak, the limit is {Numbers.Brief(limit)}/s" : "no limit shows";
        return $"{finding.Id}: contention {law.Alpha:0.0000}, coherency {law.Beta:0.000000}, one worker {Numbers.Brief(law.Gamma)}/s; "
                + $"{peak}{(fit.ShownPeak > fit.MaxWorkers ? ", beyond what was measured" : "")}.";
    }

    private static Chart? Simple(
        ExperimentReport report, string id, string title, string unit, Func<VariantReport, double> x, params string[] fields)
    {
        var groups = VariantSeries.By(report.Variants, x, fields).Take(CurveChart.MaxSeries).ToList();
        if (groups.Count == 0)
            return null;
        var series = groups.Select(group =>
            new CurveSeries(VariantSeries.NameOf(group), [.. group.Select(variant => VariantSeries.Point(variant, x(variant)))])).ToList();
        var best = groups.Select(group => (Name: VariantSeries.NameOf(group), Best: group.MaxBy(variant => variant.Rate!.Value)!))
            .Select(pair => $"{pair.Name}: highest with {Numbers.Brief(pair.Best.Rate!.Value)}/s at {Numbers.Brief(x(pair.Best))}");
        return CurveChart.From(id, title, string.Join("; ", best) + ".", series, new(unit, "per second", Logarithmic: true));
    }
}

/// <summary>Finds variants that differ in one setting alone, which then is the axis of a chart.</summary>
internal static class VariantSeries
{
    private const int MaxName = 40;

    /// <summary>Groups of two and more variants that are equal but for the named fields, with at least two different values of x.</summary>
    /// <param name="variants">Those without a rate are left out.</param>
    /// <param name="fields">Paths of the spec's fields that may differ, such as <c>client.concurrency</c>.</param>
    public static IReadOnlyList<IReadOnlyList<VariantReport>> By(
        IEnumerable<VariantReport> variants, Func<VariantReport, double> x, params string[] fields) =>
    [
        .. variants.Where(variant => variant.Rate is not null)
            .GroupBy(variant => Rest(variant, fields), StringComparer.Ordinal)
            .Where(group => group.Select(x).Distinct().Count() > 1)
            .Select(group => (IReadOnlyList<VariantReport>)[.. group.OrderBy(x)]),
    ];

    public static ChartPoint Point(VariantReport variant, double x) => new(
        x, variant.Rate!.Value, $"{variant.Name}: {Numbers.Brief(variant.Rate.Value)}/s",
        variant.Rate.Interval95 is { IsTooWide: false } interval ? interval : null);

    /// <summary>The names of a group's variants. Long lists are shortened to a common prefix, or to the first and last name.</summary>
    public static string NameOf(IReadOnlyList<VariantReport> group)
    {
        var all = string.Join(", ", group.Select(variant => variant.Name));
        if (all.Length <= MaxName)
            return all;
        var first = group[0].Name;
        var length = group.Min(other => first.Zip(other.Name).TakeWhile(pair => pair.First == pair.Second).Count());
        var common = first[..length].TrimEnd(' ', ',', '-', ':', '(', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
        return common.Length >= 3 ? common : $"{first} to {group[^1].Name}";
    }

    private static string Rest(VariantReport variant, string[] fields)
    {
        var spec = JsonSerializer.SerializeToNode(variant.Plan.Unnamed(), ScaleOutJson.Compact)!.AsObject();
        foreach (var field in fields)
        {
            var names = field.Split('.');
            JsonNode? holder = spec;
            foreach (var name in names[..^1])
                holder = (holder as JsonObject)?[name];
            (holder as JsonObject)?.Remove(names[^1]);
        }

        return spec.ToJsonString();
    }
}
