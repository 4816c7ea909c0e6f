using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>A part of a page. A form of the page leaves out a part that has nothing to show in it.</summary>
public abstract class ReportPart
{
    /// <summary>Largest number of warnings that the console shows.</summary>
    public const int MaxWarnings = 5;

    /// <summary>A table; shows nothing if it has no rows.</summary>
    public static ReportPart From(TextTable table) => new TablePart(table);

    /// <summary>Sentences under a heading; shows nothing if there are none.</summary>
    /// <param name="max">Largest number of sentences on the console.</param>
    public static ReportPart List(string title, IReadOnlyList<string> items, int max = int.MaxValue) =>
        new ListPart(title, items, "table notes", max);

    /// <summary>What a reader must know first.</summary>
    /// <param name="serious">Whether they matter more than the figures.</param>
    public static ReportPart Warnings(IReadOnlyList<string> items, string title = "Warnings", bool serious = false) =>
        new ListPart(title, items, serious ? "warnings serious" : "warnings", MaxWarnings);

    /// <summary>A chart; shows nothing if it has no data.</summary>
    public static ReportPart From(Chart chart) => new ChartPart(chart);

    /// <summary>The part's title in the page's contents; null to leave it out there, such as when the part shows nothing.</summary>
    internal abstract string? Title { get; }

    /// <summary>Whether a browser needs scripts to show the part.</summary>
    internal virtual bool NeedsScripts => false;

    /// <param name="simulated">Whether the page's figures are simulated.</param>
    internal abstract XElement? Html(bool simulated);

    /// <summary>Markdown that ends in an empty line; empty if there is nothing to show.</summary>
    internal virtual string Markdown(bool simulated) => "";

    /// <summary>Lines for the console, with a heading.</summary>
    internal virtual IReadOnlyList<string> Lines(int width) => [];

    private protected static string Heading(string title, bool simulated) => $"## {title}{(simulated ? " (simulated)" : "")}\n\n";

    /// <summary>A chart, which only the HTML page has. Its sentence stands there as text.</summary>
    private sealed class ChartPart(Chart chart) : ReportPart
    {
        internal override string? Title => chart.HasData ? chart.Title : null;

        internal override bool NeedsScripts => chart.HasData;

        internal override XElement? Html(bool simulated) => !chart.HasData ? null : Tag("figure",
            Class(chart.IsWide ? "chart wide" : "chart"),
            Attr("id", $"chart-{chart.Id}"),
            Tag("h2", chart.Title, simulated ? SimulatedLabel() : null),
            Tag("script", Attr("type", "application/json"), chart.ToJson()),
            new[] { chart }.Concat(chart.Below).Select((one, i) => Tag(
                "div", Attr("id", $"picture-{one.Id}"), Class(i == 0 ? "picture" : "picture below"), Attr("role", "group"),
                Attr("aria-label", one.Title), "")),
            Tag("figcaption", chart.Sentence, chart.Note is { } note ? $" {note}" : null));
    }

    private sealed class TablePart(TextTable table) : ReportPart
    {
        private bool IsEmpty => table.Rows.Count == 0;

        internal override string? Title => IsEmpty ? null : table.Title;

        internal override XElement? Html(bool simulated) => IsEmpty ? null : TableForms.Html(table, simulated);

        internal override string Markdown(bool simulated) => IsEmpty
            ? ""
            : Heading(table.Title, simulated) + TableForms.Markdown(table) + "\n"
                + (table.Note is { } note ? MarkdownText.Escape(note) + "\n\n" : "");

        internal override IReadOnlyList<string> Lines(int width) =>
            table.OnConsole && !IsEmpty ? [table.Title, .. TableForms.Lines(table, width)] : [];
    }

    private sealed class ListPart(string title, IReadOnlyList<string> items, string style, int max) : ReportPart
    {
        internal override string? Title => items.Count == 0 ? null : title;

        internal override XElement? Html(bool simulated) => items.Count == 0
            ? null
            : Tag("section", Class(style), Tag("h2", title), Tag("ul", items.Select(item => Tag("li", item))));

        internal override string Markdown(bool simulated) => items.Count == 0
            ? ""
            : Heading(title, simulated: false) + string.Concat(items.Select(item => $"- {MarkdownText.Escape(item)}\n")) + "\n";

        internal override IReadOnlyList<string> Lines(int width)
        {
            if (items.Count == 0 || max == 0)
                return [];
            var shown = items.Count <= max ? items : items.Take(max).Append($"{items.Count - max} more in the report");
            return [title, .. shown.SelectMany(item => WrappedLines.From($"  - {item}", width))];
        }
    }
}

/// <summary>One of the most important figures of a report, such as a rate.</summary>
/// <param name="Detail">Figures that give the value its context.</param>
/// <param name="InBrief">About three words in place of <paramref name="Detail"/>, for a tile of a page. Optional.</param>
/// <param name="OverTime">The figure from the beginning to the end, which a tile draws as a line. Optional.</param>
public sealed record KeyFigure(
    string Label, string Value, string Detail, string? InBrief = null, IReadOnlyList<double>? OverTime = null);

/// <summary>How much of a limit was used.</summary>
/// <param name="Mean">A share.</param>
/// <param name="Max">The share in the busiest second; null if it is not known.</param>
internal sealed record UsedLimit(string Name, double Mean, double? Max);

/// <summary>The most important figures. The first one is the page's <see cref="ReportPage.Number"/>, the others are cards.</summary>
public sealed class KeyFigures(IReadOnlyList<KeyFigure> figures) : ReportPart
{
    private const int MaxLargeValue = 8;

    /// <summary>Size of the lines in cards, in their own units; the style sheet stretches them.</summary>
    private const int LinePoints = 60;
    private const int LineHeight = 20;

    private readonly TextTable _figures = new Columns<KeyFigure>()
        .Text("Figure", figure => figure.Label).Figure("Value", figure => figure.Value).Text("In detail", figure => figure.Detail)
        .Table("Key figures", figures);

    internal override string Title => "Key figures";

    internal override XElement Html(bool simulated) => Tag("section", Class("figures"),
        Tag("div", Class("cards"), figures.Skip(1).Select(figure => Card(figure, "card"))));

    internal static XElement Card(KeyFigure figure, string style) => Tag("div", Class(style),
        Tag("div", Class("label"), figure.Label),
        Tag("div", Class(figure.Value.Length > MaxLargeValue ? "value long" : "value"), figure.Value),
        figure.OverTime is { Count: > 1 } values && values.Max() > 0 ? Line(values) : null,
        Tag("div", Class("detail"), figure.InBrief ?? figure.Detail));

    /// <summary>A line from 0 to the largest value; neighbouring values share a point.</summary>
    private static XElement Line(IReadOnlyList<double> values)
    {
        var means = values.Chunk((values.Count + LinePoints - 1) / LinePoints).Select(some => some.Average()).ToList();
        var (step, most) = ((double)LinePoints / (means.Count - 1), means.Max());
        var points = means.Select((mean, i) =>
            $"{i * step:0.#},{LineHeight * (1 - (mean / most)):0.#}");
        return Tag("svg",
            Class("line"), Attr("viewBox", $"0 -1 {LinePoints} {LineHeight + 2}"), Attr("preserveAspectRatio", "none"),
            Attr("aria-hidden", "true"), Tag("polyline", Attr("points", string.Join(' ', points))));
    }

    internal override string Markdown(bool simulated) => From(_figures).Markdown(simulated);

    internal override IReadOnlyList<string> Lines(int width) => From(TextTable.OfValues(
        "Key figures", "", "", figures.Select(figure => (figure.Label, (string?)$"{figure.Value}  {figure.Detail}")))).Lines(width);
}

/// <summary>What bound a run, and how much of each limit was used as bars.</summary>
/// <param name="bound">The sentence about it, which Markdown and the console have at their top (<see cref="ReportPage.Bound"/>).</param>
internal sealed class UsedLimits(string? bound, IReadOnlyList<UsedLimit> limits) : ReportPart
{
    private readonly TextTable _limits = TextTable.OfValues(
        "How much of each limit was used", "Limit", "Used", limits.Select(limit => (limit.Name, (string?)TextOf(limit))), areNumbers: true);

    internal override string? Title => IsEmpty ? null : "What bound it";

    private bool IsEmpty => bound is null && limits.Count == 0;

    internal override XElement? Html(bool simulated) => IsEmpty ? null : Tag("section", Class("bound"),
        Tag("h2", "What bound it", simulated ? SimulatedLabel() : null),
        bound is null ? null : Tag("p", bound),
        limits.Count == 0 ? null : Tag("dl", Class("meters"), limits.Select(limit => Tag("div",
            Tag("dt", limit.Name),
            Tag("dd",
                Class("bar"), Tag("span", Attr("style", $"width:{Percent(limit.Mean)}"), ""),
                limit.Max is { } max ? Tag("i", Attr("style", $"left:{Percent(max)}"), "") : null),
            Tag("dd", TextOf(limit))))));

    internal override string Markdown(bool simulated) => limits.Count == 0 ? "" : From(_limits).Markdown(simulated);

    private static string TextOf(UsedLimit limit) => Sentences.Shares(limit.Mean, limit.Max);

    private static string Percent(double share) => $"{Math.Clamp(share, 0, 1) * 100:0.#}%";
}

/// <summary>How pages and lists show that figures are not valid.</summary>
public static class InvalidParts
{
    /// <summary>The state of what was measured, and whether its figures are valid.</summary>
    /// <param name="style">Style of the state's badge where all figures are valid.</param>
    public static IReadOnlyList<Badge> BadgesOf(string state, string style, IReadOnlyList<InvalidFigures> invalid) => invalid.Count == 0
        ? [.. style == "good" ? [new Badge("Valid", style)] : Array.Empty<Badge>(), new(state, style)]
        : [new(state, style == "good" ? "fair" : style), new(TitleOf(invalid), "bad")];

    /// <summary>The reasons, for the top of a page; empty if all figures are valid.</summary>
    public static IEnumerable<ReportPart> From(IReadOnlyList<InvalidFigures> invalid)
    {
        if (invalid.Count > 0)
            yield return ReportPart.Warnings([.. invalid.Select(one => one.Why)], TitleOf(invalid), serious: true);
    }

    /// <summary>The result, whose first sentence says so if figures are not valid.</summary>
    public static IReadOnlyList<string> Result(IReadOnlyList<InvalidFigures> invalid, IReadOnlyList<string> result) =>
        invalid.Count == 0 ? result : [$"{TitleOf(invalid)}. {result[0]}", .. result.Skip(1)];

    /// <summary>Such as <c>Not valid: latencies</c>.</summary>
    public static string TitleOf(IReadOnlyList<InvalidFigures> invalid) => $"Not valid: {string.Join(", ", WhatOf(invalid))}";

    /// <summary>The same figures, labelled with the id of the report that they are from.</summary>
    /// <param name="id">Id of the report.</param>
    internal static IEnumerable<InvalidFigures> WithOwner(IReadOnlyList<InvalidFigures> invalid, string id) =>
        invalid.Select(one => new InvalidFigures($"{one.What} of {id}", $"{id}: {one.Why}"));

    /// <summary>Which figures are not valid, each once.</summary>
    public static IReadOnlyList<string> WhatOf(IReadOnlyList<InvalidFigures> invalid) =>
        [.. invalid.Select(one => one.What).Distinct(StringComparer.Ordinal)];
}
