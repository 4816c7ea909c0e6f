using ScaleOut.Analysis.Reports.Charts;
using ScaleOut.Analysis.Reports.Tables;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary><c>report.html</c> of a run.</summary>
internal sealed class HtmlReportWriter() : PageHtmlWriter<RunReport>(RunReportPage.From);

/// <summary><c>report.md</c> of a run.</summary>
internal sealed class MarkdownReportWriter() : PageMarkdownWriter<RunReport>(RunReportPage.From);

/// <summary>What a run's report shows to people.</summary>
internal static class RunReportPage
{
    public static ReportPage From(RunReport report)
    {
        var charts = RunCharts.From(report);
        return new ReportPage
        {
            Subject = $"Run {report.Id}",
            Name = report.Name,
            Simulated = report.Simulated,
            Badges = [new(report.State.ToString(), StyleOf(report.State))],
            Result = Sentences.Result(report),
            About =
            [
                Sentences.State(report),
                $"Run {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}.",
            ],
            Parts =
            [
                .. charts.Take(1).Select(ReportPart.From),
                ReportPart.Page(_ => report.IsEmpty ? null : KeyFigures(report)),
                ReportPart.List(
                    report.State == RunState.Failed ? "warnings serious" : "warnings",
                    report.State == RunState.Complete ? "Warnings" : "Reasons and warnings", report.Warnings),
                .. charts.Skip(1).Select(ReportPart.From),
                .. ReportTables.From(report).Select(ReportPart.From),
            ],
        };
    }

    private static string Width(double share) =>
        string.Create(CultureInfo.InvariantCulture, $"width:{Math.Clamp(share, 0, 1) * 100:0.#}%");

    private static string StyleOf(RunState state) => state switch { RunState.Complete => "good", RunState.Failed => "bad", _ => "fair" };

    private static XElement KeyFigures(RunReport report) => Tag("section", Class("figures"),
        Tag("div", Class("cards"), Cards(report).Select(card => Tag("div", Class("card"),
            Tag("div", Class("label"), card.Label),
            Tag("div", Class(card.Value.Length > 10 ? "value long" : "value"), card.Value),
            Tag("div", Class("detail"), card.Detail)))),
        Meters(report));

    private static IEnumerable<(string Label, string Value, string Detail)> Cards(RunReport report)
    {
        var overlap = report.Throughput.OverlapPerSecond is not null;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        yield return (
            $"{words.Plural} per second", Numbers.Brief(Sentences.Rate(report)),
            (overlap ? $"over {Words.Amount(report.Throughput.OverlapSeconds, "second")} of overlap" : "over the makespan")
            + (report.Throughput.AskedPerSecond is { } asked ? $"; asked for {Numbers.Brief(asked)}" : ""));
        yield return ("Verified documents", Numbers.Count(report.Documents.Verified), $"of {Numbers.Count(report.Documents.Asked)} asked");
        yield return (
            "Latency p99, ms", Numbers.Brief(report.LatencyMs.Operation.P99),
            $"p50 {Numbers.Brief(report.LatencyMs.Operation.P50)} ms, of operations");
        yield return (
            "RU/s, mean", Numbers.Brief(report.RequestUnits.PerSecondMean),
            $"of {Numbers.Brief(report.RequestUnits.BudgetPerSecond)}; {Numbers.Brief(report.RequestUnits.PerInsert)} per {words.One}");
        yield return (
            "Throttled",
            report.Requests.Attempts > 0 ? Numbers.Percent(report.Requests.Throttled / (double)report.Requests.Attempts) : Numbers.Unknown,
            $"{Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} attempts");
    }

    private static XElement? Meters(RunReport report)
    {
        if (report.Utilization is not { } used)
            return null;
        var limits = new (string Name, double? Share, double? Max)[]
        {
            ("RU/s of the container", used.RequestUnits, null),
            ("Busiest partition, seconds at its limit", used.PartitionSecondsAtLimit, null),
            ("Busiest worker's cores", used.Client, used.ClientMax),
            ("Busiest machine's cores", used.Machine, used.MachineMax),
            ("of them by the workers", used.MachineByWorkers, null),
            ("of them by the simulated account", used.MachineByAccount, null),
            ("of them by other programs", used.MachineByOthers, null),
        };
        return Tag("dl", Class("meters"), limits.Where(limit => limit.Share is not null).Select(limit => Tag("div",
            Tag("dt", limit.Name),
            Tag(
                "dd",
                Tag(
                    "span", Class("bar"),
                    Tag("span", Attr("style", Width(limit.Share!.Value)), "")),
                Tag("span", Class("share"), Sentences.Shares(limit.Share, limit.Max))))));
    }
}
