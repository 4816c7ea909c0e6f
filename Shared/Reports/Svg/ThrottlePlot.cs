using ScaleOut.Reports.Text;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Reports.Svg;

/// <summary>429s per second.</summary>
internal static class ThrottlePlot
{
    public static Plot Of(RunReport report) => new(
        "throttled",
        "Throttled attempts per second",
        $"Attempts answered 429 in each second: {Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} in all, {Numbers.Count(report.Series.Max(point => point.Throttled))} in the worst second.",
        [],
        size =>
        {
            IReadOnlyList<double> throttled = [.. report.Series.Select(point => (double)point.Throttled)];
            var time = ReportTimeline.Of(report);
            var frame = new TimeFrame(size, time, new TimeBins(time.Seconds, size.MaxBins).Means(time.Positions, throttled).Max(), "429/s");
            var floor = Enumerable.Repeat(frame.Y.At(0), frame.Bins.Count).ToList();
            return
            [
                .. frame.Behind(),
                Tag("path", Class("area throttled"), Attr("d", PathData.Between(frame.Edges, floor, frame.Levels(throttled)))),
                .. frame.InFront(),
            ];
        });
}
