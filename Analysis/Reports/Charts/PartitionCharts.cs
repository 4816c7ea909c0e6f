namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>RU per physical partition and second against the budget, and which partitions used how much of it.</summary>
public static class PartitionCharts
{
    /// <summary>Largest number of partitions that each have a line.</summary>
    internal const int MaxLines = 6;

    private const int MaxRows = 64;
    private const int MaxColumns = 150;

    private static readonly double[] Steps = [0.01, 0.2, 0.4, 0.6, 0.8, BoundByRule.PartitionShare];
    private static readonly string Limit = Numbers.Percent(Steps[^1]);

    /// <summary>One row with a cell for each partition, coloured by the share of its budget that it uses.</summary>
    /// <param name="used">RU/s of each partition.</param>
    /// <param name="budget">RU/s that each of them has.</param>
    /// <param name="note">What a reader must know to understand the chart. Optional.</param>
    public static Chart Strip(IReadOnlyList<double> used, double budget, string? note)
    {
        var (most, least) = (used.Max(), used.Min());
        return new(
            "strip", "Partitions",
            $"{Words.Amount(used.Count, "partition")} with {Numbers.Brief(budget)} RU/s each: the busiest uses "
                + $"{Numbers.Percent(most / budget)}, the least busy {Numbers.Percent(least / budget)}.",
            new ChartAxis("partition")
            {
                Min = 0, Max = used.Count, Ticks = [.. Enumerable.Range(0, used.Count).Select(i => new ChartTick(i + 0.5, $"{i}"))],
            },
            new ChartAxis("", ChartScale.Rows) { Rows = [""] },
            [
                .. used.Select((units, i) => (Units: units, i)).GroupBy(one => ColourOf(one.Units / budget)).OrderBy(group => group.Key)
                    .Select(group => ChartSeries.From(Name(Math.Max(1, group.Key)), $"h{Math.Max(1, group.Key)}", ChartKind.Spans,
                    [
                        .. group.Select(one => new ChartPoint(
                            one.i, 0, $"partition {one.i}: {Numbers.Brief(one.Units)} RU/s, {Numbers.Percent(one.Units / budget)}",
                            To: one.i + 1)),
                    ])),
            ])
        {
            Note = note,
        };
    }

    internal static IReadOnlyList<Chart> From(RunReport report)
    {
        if (report.Series.Count == 0 || report.Partitions.All(partition => partition.PerSecond.All(units => units <= 0)))
            return [];
        var many = report.Partitions.Count > 1 && report.Partitions.Any(partition => partition.BudgetPerSecond > 0);
        return many ? [RequestUnits(report), Heat(report)] : [RequestUnits(report)];
    }

    /// <summary>
    /// One line per partition if there are few; otherwise the range of all partitions, their median, and the busiest one.
    /// </summary>
    internal static Chart RequestUnits(RunReport report)
    {
        var budgets = Budgets(report);
        var assumed = report.Partitions.Any(partition => partition.AssumedEven) ? " (assumed even)" : "";
        var time = ReportTimeline.From(report, RunCharts.MaxPoints);
        var means = report.Partitions.Select(partition => time.Means(partition.PerSecond)).ToList();
        return new(
            "partitions",
            "Request units per physical partition",
            $"RU charged in each second by {Words.Amount(report.Partitions.Count, "partition")}"
                + (budgets.Count > 0
                    ? $"; the budget of one is {string.Join(" or ", budgets.Select(budget => Numbers.Brief(budget)))} RU/s{assumed}"
                    : "")
                + ". The highest second of one partition had "
                + $"{Numbers.Brief(report.Partitions.SelectMany(partition => partition.PerSecond).DefaultIfEmpty().Max())} RU.",
            ChartAxis.Time(time.Seconds), new ChartAxis("RU/s"),
            report.Partitions.Count <= MaxLines
                ? [.. report.Partitions.Select((one, i) => Line($"partition {one.Id}", $"s{i}", means[i]))]
                : Range(report, means, time.Bins))
        {
            At = time.BinStarts,
            Marks =
            [
                .. budgets.Select(budget => new ChartMark("y", budget, $"budget of one, {Numbers.Brief(budget)} RU/s{assumed}", "limit")),
                .. RunCharts.Cuts(time),
            ],
        };
    }

    private static IReadOnlyList<ChartSeries> Range(RunReport report, List<double[]> means, int count)
    {
        var sorted = Enumerable.Range(0, count).Select(bin => means.Select(values => values[bin]).Order().ToArray()).ToList();
        var busiest = report.Partitions.Select((one, i) => (One: one, i)).MaxBy(pair => pair.One.Counts.RequestUnits.Parts);
        return
        [
            new("least to most of all partitions", "band", ChartKind.StepRange)
            {
                Low = [.. sorted.Select(values => (double?)values[0])], High = [.. sorted.Select(values => (double?)values[^1])],
            },
            Line($"most RU in all (partition {busiest.One.Id})", "s5", means[busiest.i]),
            Line("median", "s0", [.. sorted.Select(values => values[values.Length / 2])]),
        ];
    }

    private static ChartSeries Line(string name, string colour, double[] values) =>
        ChartSeries.OfValues(name, colour, ChartKind.Steps, values);

    /// <summary>The budget of one partition, or two budgets if a split changed it.</summary>
    private static List<double> Budgets(RunReport report) =>
        [.. report.Partitions.Select(partition => partition.BudgetPerSecond).OfType<double>().Distinct().OrderDescending().Take(2)];

    /// <summary>Partitions by time, coloured by the share of the budget that was used. If there are many, neighbours share a row.</summary>
    private static Chart Heat(RunReport report)
    {
        var rows = SharedRows.Of(report.Partitions, MaxRows);
        var time = ReportTimeline.From(report, MaxColumns);
        var cells = rows.SelectMany((partitions, row) => Cells(Shares(partitions, time), row)).ToLookup(cell => cell.Colour);
        return new(
            "heat",
            "Share of each partition's budget",
            $"Each row is {(rows.Count == report.Partitions.Count ? "a partition" : "the busiest of neighbouring partitions")}, from the "
                + $"lowest range at the top; each column is a time. At least {Limit} of the budget counts as at its limit.",
            ChartAxis.Time(time.Seconds),
            new ChartAxis("partition", ChartScale.Rows) { Rows = [.. rows.Select(partitions => $"{partitions[0].Id}")] },
            [
                .. Enumerable.Range(1, Steps.Length).Where(colour => cells[colour].Any()).Select(colour => ChartSeries.From(
                    Name(colour), $"h{colour}", ChartKind.Spans,
                    [
                        .. cells[colour].OrderBy(cell => cell.From)
                            .Select(cell => new ChartPoint(time.BinStart(cell.From), cell.Row, To: time.BinStart(cell.To))),
                    ])),
            ])
        {
            Marks = [.. RunCharts.Cuts(time)],
        };
    }

    private static string Name(int colour) =>
        colour == Steps.Length ? $"{Limit} and more" : $"{(colour == 1 ? 0 : Steps[colour - 1]) * 100:0}-{Steps[colour] * 100:0}%";

    /// <summary>Neighbouring bins of one colour are one cell.</summary>
    private static IEnumerable<(int Row, int From, int To, int Colour)> Cells(double[] shares, int row)
    {
        for (var bin = 0; bin < shares.Length; bin++)
        {
            var (first, colour) = (bin, ColourOf(shares[bin]));
            while (bin + 1 < shares.Length && ColourOf(shares[bin + 1]) == colour)
                bin++;
            yield return (row, first, bin + 1, colour);
        }
    }

    /// <summary>Shares of the budget of the busiest of the partitions that share a row.</summary>
    private static double[] Shares(IEnumerable<PartitionReport> partitions, ReportTimeline time)
    {
        var shares = new double[time.Bins];
        foreach (var partition in partitions)
        {
            var means = time.Means(partition.PerSecond);
            for (var bin = 0; bin < shares.Length; bin++)
                shares[bin] = Math.Max(shares[bin], means[bin] / (partition.BudgetPerSecond ?? double.PositiveInfinity));
        }

        return shares;
    }

    private static int ColourOf(double share)
    {
        var colour = Array.FindIndex(Steps, step => share < step);
        return colour < 0 ? Steps.Length : colour;
    }
}
