using System.Globalization;
using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>
/// RU per physical partition and second against the budget: a line each for a few, for many the band from the least to the most with its
/// median.
/// </summary>
internal static class PartitionPlot
{
    /// <summary>Partitions up to which each has its own line.</summary>
    public const int MaxLines = 6;

    public static Plot From(RunReport report)
    {
        var few = report.Partitions.Count <= MaxLines;
        IReadOnlyList<LegendEntry> legend = few
            ? [
                .. report.Partitions.Select((partition, i) =>
                    new LegendEntry(string.Create(CultureInfo.InvariantCulture, $"partition {partition.Id}"), Colour(i), "line"))
            ]
            : [
                new("least to most of all partitions", "band"),
                new("median", "s0", "line"),
                new($"most RU in all (partition {Busiest(report).Id})", "s5", "line"),
            ];
        var budgets = Budgets(report);
        var assumed = report.Partitions.Any(partition => partition.AssumedEven) ? " (assumed even)" : "";
        return new(
            "partitions",
            "Request units per physical partition",
            $"RU charged in each second by {Words.Amount(report.Partitions.Count, "partition")}"
                + (budgets.Count > 0
                    ? $"; the budget of one is {string.Join(" or ", budgets.Select(budget => Numbers.Brief(budget)))} RU/s{assumed}"
                    : "")
                + ". The highest second of one partition had "
                + $"{Numbers.Brief(report.Partitions.SelectMany(partition => partition.PerSecond).DefaultIfEmpty().Max())} RU.",
            [
                .. legend,
                .. budgets.Select(budget => new LegendEntry($"budget of one, {Numbers.Brief(budget)} RU/s{assumed}", "limit", "dash")),
            ],
            size => Draw(report, budgets, few, size));
    }

    private static PartitionReport Busiest(RunReport report) => report.Partitions.MaxBy(partition => partition.RequestUnits)!;

    /// <summary>One, or two when a split changed it.</summary>
    private static List<double> Budgets(RunReport report) =>
        [.. report.Partitions.Select(partition => partition.BudgetPerSecond).OfType<double>().Distinct().OrderDescending().Take(2)];

    private static string Colour(int i) => string.Create(CultureInfo.InvariantCulture, $"s{i}");

    private static IEnumerable<XElement> Draw(RunReport report, List<double> budgets, bool few, PlotSize size)
    {
        var time = ReportTimeline.From(report);
        var bins = new TimeBins(time.Seconds, size.MaxBins);
        var means = report.Partitions.Select(partition => bins.Means(time.Positions, partition.PerSecond)).ToList();
        var max = means.SelectMany(values => values).Concat(budgets.Select(budget => budget * 1.1)).DefaultIfEmpty().Max();
        var frame = new TimeFrame(size, time, max, "RU/s");
        return
        [
            .. frame.Behind(),
            .. few ? Lines(frame, means) : Band(frame, means, report),
            .. budgets.Select(budget => Axes.Limit(size, frame.Y.At(budget))),
            .. frame.InFront(),
        ];
    }

    private static IEnumerable<XElement> Lines(TimeFrame frame, List<double[]> means) =>
        means.Select((values, i) => Line(frame, values, Colour(i)));

    private static IEnumerable<XElement> Band(TimeFrame frame, List<double[]> means, RunReport report)
    {
        var sorted = Enumerable.Range(0, frame.Bins.Count).Select(bin => means.Select(values => values[bin]).Order().ToArray()).ToList();
        yield return Tag("path", Class("area band"), Attr("d", PathData.Between(
            frame.Edges, [.. sorted.Select(values => frame.Y.At(values[0]))], [.. sorted.Select(values => frame.Y.At(values[^1]))])));
        yield return Line(frame, frame.Means(Busiest(report).PerSecond), "s5");
        yield return Line(frame, [.. sorted.Select(values => values[values.Length / 2])], "s0");
    }

    private static XElement Line(TimeFrame frame, double[] means, string colour) =>
        Tag("path", Class($"stroke {colour}"), Attr("d", PathData.Steps(frame.Edges, [.. means.Select(frame.Y.At)])));
}
