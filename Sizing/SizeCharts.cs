using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Charts;

namespace ScaleOut.Sizing;

/// <summary>The charts of a result of <c>size</c>, and the table of the fleets that were looked at.</summary>
internal static class SizeCharts
{
    /// <summary>Fleets beyond these multiples of the shown fleet's cost and p99 are beyond the axes.</summary>
    private const double MaxCost = 1.5;
    private const double MaxLatency = 3;

    private const double Padding = 0.04;

    /// <summary>So that the picture ends on the first screen with the split of the bill, which is below it.</summary>
    private const int MonthsHeight = 200;

    /// <summary>Factor between the RU/s of the busiest partition and of the least busy one from which on they are shown.</summary>
    private const double MuchMore = 1.1;

    private static readonly (string Name, string Colour)[] Parts = [("RU/s", "s0"), ("workers", "s1"), ("storage", "s2")];

    /// <summary>
    /// What decides: the bills over the months if documents are added, else the bill and what a shorter latency costs. The partitions are
    /// among them if they are not alike.
    /// </summary>
    public static IEnumerable<Chart> From(SizeResult result)
    {
        var partitions = result.Fleet.Partitions;
        IEnumerable<Chart> decides = result.CostByMonth.Count > 1 ? [Months(result)] : [Cost(result), .. CostAgainstLatency(result)];
        return partitions.Highest > MuchMore * partitions.Lowest ? decides.Append(Partitions(result)) : decides;
    }

    /// <summary>The bill of each month, stacked by its parts.</summary>
    private static Chart Months(SizeResult result)
    {
        var months = result.CostByMonth;
        // Each bill lasts to the next one, and the last one for a month more.
        IReadOnlyList<MonthPoint> drawn = [.. months, months[^1] with { Month = months[^1].Month + 1 }];
        ChartSeries Of(int part, Func<MonthPoint, double> amountOf) => ChartSeries.From(
            Parts[part].Name, Parts[part].Colour, ChartKind.Area,
            [.. drawn.Select(one => new ChartPoint(one.Month, amountOf(one)))]);
        return Cost(result) with
        {
            Id = "cost-months",
            Title = "Cost of a month, over the months",
            Height = MonthsHeight,
            X = new ChartAxis("months after the start") { Min = 0, Max = drawn[^1].Month },
            Y = new ChartAxis($"{result.Cost.Currency} a month") { Min = 0 },
            Series = [Of(0, one => one.Throughput), Of(1, one => one.Compute), Of(2, one => one.Storage)],
            Note = result.Growth is { Fleet: not null }
                ? "The RU/s of the first and the last month were looked for; those in between are in proportion to what is stored."
                : null,
        };
    }

    /// <summary>Each bill as a bar of its parts.</summary>
    public static Chart Cost(SizeResult result)
    {
        var bills = new List<(string Name, double[] Parts)>
        {
            (
                result.Reached == false ? "nearest fleet" : result.LoadCost is not null ? "a month after" : "a month today",
                PartsOf(result.Cost)),
        };
        if (result.LoadCost is { } load)
            bills.Insert(0, ("the load", [load.Throughput, load.Compute, 0]));
        if (result.GrownCost is { } grown)
            bills.Add(("a month grown", PartsOf(grown)));
        var currency = result.Cost.Currency;
        return new(
            "cost", "Cost",
            string.Join(" ", bills.Select(bill => $"{Words.Capital(bill.Name)} {Numbers.Brief(bill.Parts.Sum())} {currency}: "
                + string.Join(", ", bill.Parts.Zip(Parts, (amount, part) => $"{part.Name} {Numbers.Brief(amount)}")) + ".")),
            new ChartAxis(currency) { Min = 0 },
            new ChartAxis("", ChartScale.Rows) { Rows = [.. bills.Select(bill => bill.Name)] },
            [
                .. Parts.Select((part, i) => ChartSeries.From(part.Name, part.Colour, ChartKind.Spans,
                [
                    .. bills.Select((bill, row) => (row, From: bill.Parts.Take(i).Sum(), Amount: bill.Parts[i]))
                        .Where(one => one.Amount > 0)
                        .OrderBy(one => one.From)
                        .Select(one => new ChartPoint(
                            one.From, one.row, $"{part.Name}: {Numbers.Brief(one.Amount)} {currency}", To: one.From + one.Amount)),
                ])).Where(series => series.X!.Count > 0),
            ]);
    }

    /// <summary>The partitions of the fleet's container.</summary>
    private static Chart Partitions(SizeResult result)
    {
        var (partitions, sample) = (result.Fleet.Partitions, result.Fleet.Sample);
        return PartitionCharts.Strip(
            partitions.Used, partitions.BudgetPerSecond,
            sample.Partitions < partitions.Count ? $"They stand for all {Numbers.Count(partitions.Count)}." : null);
    }

    /// <summary>Cost against p99 of the fleets that were looked at, cut where nobody would look.</summary>
    private static IEnumerable<Chart> CostAgainstLatency(SizeResult result)
    {
        var fleets = result.Frontier.Where(one => one.Forecast.OperationMs.P99 is not null).ToList();
        if (fleets.Count == 0)
            yield break;
        var chosen = fleets.FirstOrDefault(one => one.IsChosen) ?? fleets[0];
        var bound = result.LatencyBoundMs;
        var highest = MaxLatency * Math.Max(chosen.Forecast.OperationMs.P99!.Value, bound ?? 0);
        var shown = fleets.Where(one => one.Cost <= MaxCost * chosen.Cost && one.Forecast.OperationMs.P99 <= highest).ToList();
        var (least, most) = (shown.Min(one => one.Cost), shown.Max(one => one.Cost));
        var room = Math.Max(Padding * most, Padding * (most - least));
        yield return new Chart(
            "cost-latency", "Cost against p99", "Each dot is a fleet at the rate. Hollow ones do not hold it.",
            new ChartAxis(UnitOf(result)) { Min = Math.Max(0, least - room), Max = most + room },
            new ChartAxis("p99, ms")
            {
                Min = 0, Max = (1 + Padding) * Math.Max(bound ?? 0, shown.Max(one => one.Forecast.OperationMs.P99!.Value)),
            },
            SeriesOf(fleets, result))
        {
            Marks = bound is { } ms ? [new ChartMark("y", ms, $"{Numbers.Brief(ms)} ms", "s3")] : [],
        };
    }

    public static TextTable Fleets(SizeResult result) => new Columns<TriedFleet>()
        .Text("Fleet", fleet => fleet.IsChosen ? ChosenName(result) : "")
        .Text("Mode", fleet => ModeOf(fleet.Settings))
        .Count("Workers", fleet => fleet.Settings.Workers)
        .Count("In flight", fleet => fleet.Settings.Concurrency)
        .Count("RU/s", fleet => fleet.Settings.Throughput)
        .Count("Partitions", fleet => fleet.Settings.Partitions)
        .Number("p99", fleet => fleet.Forecast.OperationMs.P99, "ms")
        .Share("CPU", fleet => fleet.Forecast.Utilization.Client)
        .Number(UnitOf(result), fleet => fleet.Cost)
        .Text("Holds", fleet => fleet.Unmet ?? (fleet.UnmetIfSlower is null
            ? $"yes, also with latencies {Numbers.Percent(ModelError.Latency)} longer"
            : "yes"))
        .Table("Fleets that were looked at", result.Frontier, console: false) with
    {
        IsFolded = true,
    };

    private static string UnitOf(SizeResult result) => $"{result.Cost.Currency} {(result.LoadCost is null ? "a month" : "for the load")}";

    private static string ChosenName(SizeResult result) => result.Reached == true ? "chosen" : "nearest";

    private static double[] PartsOf(MonthCost cost) => [cost.CheapestThroughput, cost.Compute, cost.Storage ?? 0];

    private static List<ChartSeries> SeriesOf(List<TriedFleet> fleets, SizeResult result)
    {
        ChartPoint PointOf(TriedFleet fleet) => new(
            fleet.Cost, fleet.Forecast.OperationMs.P99!.Value,
            $"{Words.Amount(fleet.Settings.Workers, "worker")}, {fleet.Settings.Concurrency} in flight, "
                + $"{Numbers.Count(fleet.Settings.Throughput)} RU/s, {Words.Amount(fleet.Settings.Partitions, "partition")}: p99 "
                + $"{Numbers.Brief(fleet.Forecast.OperationMs.P99)} ms, {Numbers.Brief(fleet.Cost)}"
                + (fleet.Unmet is { } unmet ? $"; {unmet}" : ""),
            IsHollow: !fleet.Holds);
        return
        [
            .. fleets.Where(one => !one.IsChosen).GroupBy(one => ModeOf(one.Settings)).Select((group, index) => ChartSeries.From(
                group.Key, $"s{index}", index == 0 ? ChartKind.Dots : ChartKind.Diamonds,
                [.. group.OrderBy(one => one.Cost).Select(PointOf)])),
            .. fleets.Where(one => one.IsChosen).Take(1).Select(one => ChartSeries.From(
                ChosenName(result), "s5", ChartKind.Diamonds, [PointOf(one)]) with
                {
                    Labels =
                    [
                        $"{ChosenName(result)}: {Words.Amount(one.Settings.Workers, "worker")}, "
                            + $"{Numbers.Count(one.Settings.Throughput)} RU/s",
                    ],
                }),
        ];
    }

    private static string ModeOf(FleetSettings settings) => settings.Bulk ? $"{settings.Mode}, bulk" : settings.Mode.ToString();
}
