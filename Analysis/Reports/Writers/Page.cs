using System.Reflection;
using System.Text;
using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Charts;
using ScaleOut.Analysis.Reports.Tables;
using ScaleOut.Analysis.Text;
using ScaleOut.Orchestration;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>The whole page: one file that asks for nothing else.</summary>
internal static class Page
{
    private const string StyleSheet = "ScaleOut.Analysis.Reports.Writers.report.css";

    public static string From(RunReport report) => Document(
        $"{report.Name ?? $"Run {report.Id}"}{(report.Simulated ? " (simulated)" : "")}",
        [
            .. Summary.From(report),
            .. ReportPlots.From(report).Select(plot => PlotMarkup.Figure(plot, report.Simulated)),
            .. ReportTables.From(report).Select(table => TableMarkup.Section(table, report.Simulated)),
        ]);

    /// <summary>A page with a title and the parts of its body; nulls are left out.</summary>
    public static string Document(string title, IEnumerable<XElement?> body)
    {
        var page = Tag("html", Attr("lang", "en"),
            Tag("head",
                Tag("meta", Attr("charset", "utf-8")),
                Tag("meta", Attr("name", "viewport"), Attr("content", "width=device-width, initial-scale=1")),
                Tag("meta", Attr("name", "color-scheme"), Attr("content", "light dark")),
                Tag("title", title),
                Tag("style", Style())),
            Tag("body", Tag("main", body)));
        return "<!DOCTYPE html>\n" + page.ToString(SaveOptions.DisableFormatting) + "\n";
    }

    /// <summary>
    /// The style sheet; it uses neither &lt;, &gt; nor &amp;, which XML would write otherwise than HTML reads them there.
    /// </summary>
    private static string Style()
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(StyleSheet)
            ?? throw new InvalidOperationException($"The resource {StyleSheet} is missing.");
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd();
    }
}

/// <summary>The head of the page: how the run ended, its key figures, what bound it, what to beware of.</summary>
internal static class Summary
{
    public static IEnumerable<XElement?> From(RunReport report) =>
    [
        Tag("header",
            Tag("p", Class("badges"),
                Tag("span", Class($"badge {StateClass(report.State)}"), report.State.ToString()),
                report.Simulated ? Tag("span", Class("badge sim"), "simulated account") : null),
            Tag("h1", report.Name ?? $"Run {report.Id}"),
            Tag("p", Class("headline"), $"{Sentences.Headline(report)}{(report.Simulated ? " (simulated)" : "")}."),
            Tag("p", Class("meta"), $"Run {report.Id}, {Numbers.Instant(report.StartedAt)} to {Numbers.Instant(report.FinishedAt)}")),
        !report.IsEmpty
            ? Tag(
                "section",
                Class("cards"),
                Cards(report).Select(card =>
                    Tag(
                        "div", Class("card"), Tag("div", Class("label"), card.Label),
                        Tag("div", Class(card.Value.Length > 10 ? "value long" : "value"), card.Value),
                        Tag("div", Class("detail"), card.Detail))))
            : null,
        Tag(
            "section", Class("verdict"), Tag("p", Sentences.State(report)), Sentences.Bound(report) is { } bound ? Tag("p", bound) : null,
            Meters(report)),
        .. Warnings(report),
    ];

    private static string StateClass(RunState state) => state switch { RunState.Complete => "good", RunState.Failed => "bad", _ => "fair" };

    private static IEnumerable<(string Label, string Value, string Detail)> Cards(RunReport report)
    {
        var overlap = report.Throughput.OverlapPerSecond is not null;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        yield return (
            $"{words.Plural} per second", Numbers.Brief(Sentences.Rate(report)),
            overlap ? $"over {Words.Amount(report.Throughput.OverlapSeconds, "second")} of overlap" : "over the makespan");
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
        };
        return Tag("dl", Class("meters"), limits.Where(limit => limit.Share is not null).Select(limit => Tag("div",
            Tag("dt", limit.Name),
            Tag(
                "dd",
                Tag(
                    "span", Class("bar"),
                    Tag("span", Attr("style", $"width:{Coordinate(Math.Clamp(limit.Share!.Value, 0, 1) * 100)}%"), "")),
                Tag("span", Class("share"), Sentences.Shares(limit.Share, limit.Max))))));
    }

    private static IEnumerable<XElement> Warnings(RunReport report)
    {
        if (report.Warnings.Count > 0)
            yield return Tag(
                "section", Class(report.State == RunState.Failed ? "warnings serious" : "warnings"),
                Tag("h2", report.State == RunState.Complete ? "Warnings" : "Reasons and warnings"),
                Tag("ul", report.Warnings.Select(warning => Tag("li", warning))));
    }
}
