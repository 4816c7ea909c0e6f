using System.Globalization;
using System.Text;
using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>
/// Partitions by time, coloured by the share of the budget that was used; very many are drawn together, each row showing the busiest of its
/// own.
/// </summary>
internal static class PartitionHeatMap
{
    private const int MaxRows = 64;

    private static readonly double[] Steps = [0.01, 0.2, 0.4, 0.6, 0.8, BoundByRule.PartitionShare];
    private static readonly string Limit = Numbers.Percent(Steps[^1]);

    public static Plot From(RunReport report)
    {
        var limit = report.Partitions.Select(partition => partition.BudgetPerSecond).OfType<double>().DefaultIfEmpty(0).Max();
        var rows = Math.Min(MaxRows, report.Partitions.Count);
        return new(
            "heat",
            "Share of each partition's budget",
            $"Each row is {(rows == report.Partitions.Count ? "a partition" : "the busiest of neighbouring partitions")}, from the lowest "
                + $"range at the top; each column is a time. At least {Limit} of the budget counts as at its limit.",
            [
                .. Enumerable.Range(1, Steps.Length - 1)
                    .Select(i => new LegendEntry(Text($"{(i == 1 ? 0 : Steps[i - 1]) * 100:0}-{Steps[i] * 100:0}%"), Text($"h{i}"))),
                new($"{Limit} and more", Text($"h{Steps.Length}")),
            ],
            size => limit > 0 ? Draw(report, rows, size) : []);
    }

    private static IEnumerable<XElement> Draw(RunReport report, int rows, PlotSize size)
    {
        var time = ReportTimeline.From(report);
        var bins = new TimeBins(time.Seconds, size.MaxBins / 2);
        var x = Scale.Linear(0, time.Seconds, PlotSize.Left, size.PlotRight);
        var height = size.PlotHeight / rows;
        var gap = height > 6 ? 1 : 0;
        var cells = Enumerable.Range(0, Steps.Length + 1).Select(_ => new StringBuilder()).ToList();
        for (var row = 0; row < rows; row++)
        {
            var shares = Shares(report, time, bins, row, rows);
            for (var bin = 0; bin < bins.Count; bin++)
            {
                var (first, colour) = (bin, ColourOf(shares[bin]));
                while (bin + 1 < bins.Count && ColourOf(shares[bin + 1]) == colour)
                    bin++;
                var (left, right) = (x.At(bins.Start(first)), x.At(bins.Start(bin + 1)));
                var top = Coordinate(PlotSize.Top + (row * height));
                cells[colour].Append(
                    Text($"M{Coordinate(left)},{top}H{Coordinate(right)}v{Coordinate(height - gap)}H{Coordinate(left)}Z"));
            }
        }

        return
        [
            .. cells.Select((path, colour) => (path, colour)).Where(cell => cell.path.Length > 0 && cell.colour > 0)
                .Select(cell => Tag("path", Class(Text($"cell h{cell.colour}")), Attr("d", cell.path.ToString()))),
            .. RowLabels(report, rows, height),
            Axes.Text("partition", 2, 12, "start"),
            .. Axes.Cuts(size, x, time.Cuts),
            .. Axes.Time(size, x, time.Seconds),
        ];
    }

    /// <summary>Shares of the budget of the busiest partition that the row stands for.</summary>
    private static double[] Shares(RunReport report, ReportTimeline time, TimeBins bins, int row, int rows)
    {
        var shares = new double[bins.Count];
        foreach (var partition in report.Partitions.Skip(FirstOf(report, row, rows))
            .Take(FirstOf(report, row + 1, rows) - FirstOf(report, row, rows)))
        {
            var means = bins.Means(time.Positions, partition.PerSecond);
            for (var bin = 0; bin < shares.Length; bin++)
                shares[bin] = Math.Max(shares[bin], means[bin] / (partition.BudgetPerSecond ?? double.PositiveInfinity));
        }

        return shares;
    }

    private static int FirstOf(RunReport report, int row, int rows) => row * report.Partitions.Count / rows;

    private static int ColourOf(double share)
    {
        var colour = Array.FindIndex(Steps, step => share < step);
        return colour < 0 ? Steps.Length : colour;
    }

    private static IEnumerable<XElement> RowLabels(RunReport report, int rows, double height)
    {
        var every = Math.Max(1, (int)Math.Ceiling(16 / height));
        for (var row = 0; row < rows; row += every)
        {
            var id = report.Partitions[FirstOf(report, row, rows)].Id;
            yield return Axes.Text(
                id.ToString(CultureInfo.InvariantCulture), PlotSize.Left - 6,
                PlotSize.Top + (row * height) + Math.Min(height, 16) - Math.Max(0, (Math.Min(height, 16) - 10) / 2), "end");
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
