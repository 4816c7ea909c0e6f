using System.Xml.Linq;
using ScaleOut.Reports.Tables;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Reports.Html;

/// <summary>Puts a table on the page.</summary>
internal static class TableMarkup
{
    public static XElement Section(Table table, bool simulated) => Tag("section",
        Class("table"),
        Tag("h2", table.Title, simulated ? PlotMarkup.Simulated() : null),
        Tag("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", table.Title),
            Tag("table",
                Tag("thead", Tag("tr", table.Columns.Select(column => Tag("th", Attr("scope", "col"), Align(column), column.Title)))),
                Tag("tbody", table.Rows.Select(row => Tag("tr", row.Select((cell, i) => Cell(table, cell, i))))))),
        table.Note is { } note ? Tag("p", Class("note"), note) : null);

    private static XElement Cell(Table table, string cell, int i) =>
        i == 0 ? Tag("th", Attr("scope", "row"), Align(table.Columns[i]), cell) : Tag("td", Align(table.Columns[i]), cell);

    private static XAttribute? Align(Column column) => column.IsNumber ? Class("number") : null;
}
