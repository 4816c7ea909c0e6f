using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>When each worker was at work, from its first start to its last end; of very many, neighbours share a row.</summary>
internal static class WorkerTimePlot
{
    private const int MostRows = 48;

    /// <summary>None for a single worker, and where no times are known.</summary>
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var workers = report.Workers.Where(worker => worker is { StartedAt: not null, EndedAt: not null }).ToList();
        if (workers.Count < 2 || report.Series.Count == 0)
            return [];
        var (first, last) = (workers.Min(worker => worker.StartedAt!.Value), workers.Max(worker => worker.EndedAt!.Value));
        var latest = workers.Max(worker => worker.StartedAt!.Value) - first;
        var earliest = last - workers.Min(worker => worker.EndedAt!.Value);
        var rows = Math.Min(MostRows, workers.Count);
        var height = Math.Min(18, 240.0 / rows);
        return
        [
            new Plot("workers-time", "When each worker was at work",
                $"From its first start to its last end. The last worker started {Numbers.Duration(latest)} after the first, and the first "
                    + $"one ended {Numbers.Duration(earliest)} before the last.",
                [], size => Draw(report, workers, rows, height, size),
                rows < workers.Count ? "Neighbouring workers share a row." : null,
                size => size with { Height = PlotSize.Top + (rows * height) + PlotSize.Bottom }),
        ];
    }

    private static IEnumerable<XElement> Draw(
        RunReport report, List<WorkerReport> workers, int rows, double height, PlotSize size)
    {
        var time = ReportTimeline.From(report);
        var x = Scale.Linear(0, time.Seconds, PlotSize.Left, size.PlotRight);
        var every = Math.Max(1, (int)Math.Ceiling(14 / height));
        yield return Axes.Text("worker", 2, 12, "start");
        for (var row = 0; row < rows; row++)
        {
            var members = workers[(row * workers.Count / rows)..((row + 1) * workers.Count / rows)];
            var (from, to) = (
                x.At(time.At(members.Min(worker => worker.StartedAt!.Value))),
                x.At(time.At(members.Max(worker => worker.EndedAt!.Value)) + 1));
            var top = PlotSize.Top + (row * height);
            yield return Tag("path", Class("cell s0"), Attr("d", PathData.Line(
                [(from, top + 1), (to, top + 1), (to, top + height - 1), (from, top + height - 1)]) + "Z"));
            if (row % every == 0)
                yield return Axes.Text(Numbers.Count(members[0].Index), PlotSize.Left - 6, top + Math.Min(height, 14), "end");
        }

        foreach (var element in Axes.Cuts(size, x, time.Cuts).Concat(Axes.Time(size, x, time.Seconds)))
            yield return element;
    }
}
