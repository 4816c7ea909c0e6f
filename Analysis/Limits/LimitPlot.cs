using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Limits;

/// <summary>Latency over the rate, with a dot for each run and the knee: the highest rate that holds.</summary>
internal static class LimitPlot
{
    private const int MedianColour = 0;
    private const int TailColour = 1;

    /// <summary>Empty while fewer than two rates have latencies.</summary>
    public static IReadOnlyList<Plot> From(LimitReport report)
    {
        var dots = report.Steps.SelectMany(step => step.Runs.Select(run => (step.Rate, Run: run)))
            .Where(dot => dot.Run.LatencyMs is { P50: > 0, P99: > 0 }).ToList();
        if (dots.Select(dot => dot.Rate).Distinct().Count() < 2)
            return [];
        var knee = report.Limit.Low;
        var legend = new List<LegendEntry> { new("p50", Colour(MedianColour), "line"), new("p99", Colour(TailColour), "line") };
        if (knee is not null)
            legend.Add(new LegendEntry("knee: the highest rate that holds", "limit", "dash"));
        return
        [
            new Plot("limit", "Latency by rate", report.Limit.Text, legend, size => Draw(size, dots, knee),
                "Each dot is a run; a hollow one did not hold its rate. The lines join the middle runs of each rate."),
        ];
    }

    private static string Colour(int index) => CurvePlot.Colour(index);

    private static IEnumerable<XElement> Draw(PlotSize size, IReadOnlyList<(double Rate, LimitRunDigest Run)> dots, double? knee)
    {
        var ticks = Ticks.Log(dots.Min(dot => dot.Run.LatencyMs!.P50!.Value), dots.Max(dot => dot.Run.LatencyMs!.P99!.Value));
        var y = Scale.Log(ticks[0], ticks[^1], size.PlotBottom, PlotSize.Top);
        var rates = dots.Select(dot => dot.Rate).Distinct().Order().ToList();
        var x = Scale.Log(rates[0], rates[^1], PlotSize.Left + 14, size.PlotRight - 14);
        return
        [
            .. Axes.Values(size, y, ticks, "ms (logarithmic)"),
            .. Axes.Marks(
                size, x, rates.Select(rate => (rate, AxisText.Value(Math.Round(rate), rate))), "asked per second (logarithmic)"),
            .. knee is { } at ? [Knee(size, x.At(at), at)] : Array.Empty<XElement>(),
            .. Series(dots, Colour(MedianColour), "p50", x, y, run => run.LatencyMs!.P50!.Value),
            .. Series(dots, Colour(TailColour), "p99", x, y, run => run.LatencyMs!.P99!.Value),
        ];
    }

    private static XElement Knee(PlotSize size, double at, double rate) => Tag(
        "line", Class("stroke dash limit"), Attr("x1", at), Attr("x2", at), Attr("y1", PlotSize.Top), Attr("y2", size.PlotBottom),
        Tag("title", $"{LimitSentences.Rate(rate)}/s hold"));

    private static IEnumerable<XElement> Series(
        IReadOnlyList<(double Rate, LimitRunDigest Run)> dots, string colour, string name, Scale x, Scale y,
        Func<LimitRunDigest, double> value)
    {
        var middle = dots.GroupBy(dot => dot.Rate).OrderBy(group => group.Key)
            .Select(group => (group.Key, Value: group.Select(dot => value(dot.Run)).Order().ElementAt((group.Count() - 1) / 2)));
        yield return Tag(
            "path", Class($"stroke {colour}"), Attr("d", PathData.Line(middle.Select(point => (x.At(point.Key), y.At(point.Value))))));
        foreach (var (rate, run) in dots)
        {
            yield return Tag(
                "circle", Class(run.Held == true ? $"dot {colour}" : $"dot hollow {colour}"), Attr("cx", x.At(rate)),
                Attr("cy", y.At(value(run))), Attr("r", 4),
                Tag("title",
                    $"{LimitSentences.Rate(rate)}/s: {name} {Numbers.Brief(value(run))} ms{(run.Held == true ? "" : ", failed")}"));
        }
    }
}
