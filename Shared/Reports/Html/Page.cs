using System.Reflection;
using System.Text;
using System.Xml.Linq;
using ScaleOut.Reports.Svg;
using ScaleOut.Reports.Tables;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Reports.Html;

/// <summary>The whole page: one file that asks for nothing else.</summary>
internal static class Page
{
    private const string StyleSheet = "ScaleOut.Reports.Html.report.css";

    public static string Of(RunReport report) => Document(
        $"{report.Name ?? $"Run {report.Id}"}{(report.Simulated ? " (simulated)" : "")}",
        [
            .. Summary.Of(report),
            .. ReportPlots.Of(report).Select(plot => PlotMarkup.Figure(plot, report.Simulated)),
            .. ReportTables.Of(report).Select(table => TableMarkup.Section(table, report.Simulated)),
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

    /// <summary>The style sheet; it uses neither &lt;, &gt; nor &amp;, which XML would write otherwise than HTML reads them there.</summary>
    private static string Style()
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream(StyleSheet)
            ?? throw new InvalidOperationException($"The resource {StyleSheet} is missing.");
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd();
    }
}
