using ScaleOut.Analysis.Charts;

namespace ScaleOut.DevBox.Sizing;

/// <summary>The charts and the table of the fleets that were looked at.</summary>
internal static class SizeCharts
{
    /// <summary>Fleets beyond this multiple of the shown fleet's p99 or cost are only in the table.</summary>
    private const double MaxFactor = 3;

    private const double Padding = 0.04;
    private const int MaxTicks = 12;

    public static IEnumerable<ReportPart> From(SizeResult result)
    {
        if (result.Frontier.Count == 0)
            yield break;
        var unit = $"{result.Cost.Currency} {(result.LoadCost is null ? "a month" : "for the load")}";
        var chosen = result.Frontier.FirstOrDefault(one => one.IsChosen) ?? result.Frontier[0];
        var shown = result.Frontier.Where(one => one.Cost <= MaxFactor * chosen.Cost && one.Forecast.OperationMs.P99 is not null).ToList();
        var bound = result.LatencyBoundMs;
        var highest = MaxFactor * Math.Max(chosen.Forecast.OperationMs.P99 ?? 0, bound ?? 0);
        var fast = shown.Where(one => one.Forecast.OperationMs.P99 <= highest).ToList();
        var left = result.Frontier.Count - fast.Count;
        var top = Math.Max(bound ?? 0, fast.Max(one => one.Forecast.OperationMs.P99) ?? 1);
        yield return ReportPart.From(new Chart(
            "cost-latency", "Cost against p99",
            "Each dot is a fleet at the rate. Hollow ones do not hold it."
                + (left > 0 ? $" {Words.Amount(left, "fleet")} beyond the axes {(left == 1 ? "is" : "are")} only in the table." : ""),
            CostAxis(unit, fast),
            new ChartAxis("p99, ms") { Min = 0, Max = (1 + Padding) * top },
            SeriesOf(fast, fleet => fleet.Cost, fleet => fleet.Forecast.OperationMs.P99!.Value))
        {
            Marks = bound is { } ms ? [new ChartMark("y", ms, $"{Numbers.Brief(ms)} ms", "s3")] : [],
        });
        var workers = shown.Select(one => one.Settings.Workers).Distinct().Order().ToList();
        yield return ReportPart.From(new Chart(
            "cost-workers", "Cost against workers", "The same fleets by their number of workers.",
            new ChartAxis("workers")
            {
                Min = 0, Max = workers[^1] + 1,
                Ticks = workers.Count <= MaxTicks ? [.. workers.Select(one => new ChartTick(one, Numbers.Count(one)))] : null,
            },
            CostAxis(unit, shown), SeriesOf(shown, fleet => fleet.Settings.Workers, fleet => fleet.Cost)));
        yield return ReportPart.From(new Columns<TriedFleet>()
            .Text("Fleet", fleet => fleet.IsChosen ? result.Reached == true ? "chosen" : "nearest" : "")
            .Text("Mode", fleet => ModeOf(fleet.Settings))
            .Count("Workers", fleet => fleet.Settings.Workers)
            .Count("In flight", fleet => fleet.Settings.Concurrency)
            .Count("RU/s", fleet => fleet.Settings.Throughput)
            .Count("Partitions", fleet => fleet.Settings.Partitions)
            .Number("p99", fleet => fleet.Forecast.OperationMs.P99, "ms")
            .Share("CPU", fleet => fleet.Forecast.Utilization.Client)
            .Number(unit, fleet => fleet.Cost)
            .Text("Holds", fleet => fleet.Unmet ?? (fleet.UnmetIfSlower is null
                ? $"yes, also with latencies {Numbers.Percent(ModelError.Latency)} longer"
                : "yes"))
            .Table("Fleets that were looked at", result.Frontier, console: false));
    }

    private static ChartAxis CostAxis(string unit, List<TriedFleet> fleets)
    {
        var (least, most) = (fleets.Min(one => one.Cost), fleets.Max(one => one.Cost));
        var room = Math.Max(Padding * most, Padding * (most - least));
        return new ChartAxis(unit) { Min = Math.Max(0, least - room), Max = most + room };
    }

    private static List<ChartSeries> SeriesOf(List<TriedFleet> fleets, Func<TriedFleet, double> x, Func<TriedFleet, double> y)
    {
        ChartPoint PointOf(TriedFleet fleet) => new(
            x(fleet), y(fleet),
            $"{Words.Amount(fleet.Settings.Workers, "worker")}, {fleet.Settings.Concurrency} in flight, "
                + $"{Numbers.Count(fleet.Settings.Throughput)} RU/s, {Words.Amount(fleet.Settings.Partitions, "partition")}: p99 "
                + $"{Numbers.Brief(fleet.Forecast.OperationMs.P99)} ms, {Numbers.Brief(fleet.Cost)}"
                + (fleet.Unmet is { } unmet ? $"; {unmet}" : ""),
            IsHollow: !fleet.Holds);
        return
        [
            .. fleets.Where(one => !one.IsChosen).GroupBy(one => ModeOf(one.Settings)).Select((group, index) => ChartSeries.From(
                group.Key, $"s{index}", index == 0 ? ChartKind.Dots : ChartKind.Diamonds, [.. group.OrderBy(x).Select(PointOf)])),
            .. fleets.Where(one => one.IsChosen).Take(1).Select(one => ChartSeries.From(
                "chosen", "s4", ChartKind.Diamonds, [PointOf(one)])),
        ];
    }

    private static string ModeOf(FleetSettings settings) => settings.Bulk ? $"{settings.Mode}, bulk" : settings.Mode.ToString();
}
