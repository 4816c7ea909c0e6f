using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>
/// A report for people, whatever it is of, in the order in which it is read: the result in two sentences, the picture that shows it, then
/// everything else. HTML and Markdown are written from it alone.
/// </summary>
internal sealed record ReportPage
{
    /// <summary>What the report is of, such as <c>Run first</c>.</summary>
    public required string Subject { get; init; }

    /// <summary>A user's name for it; null when there is none.</summary>
    public string? Name { get; init; }

    /// <summary>Whether its figures come from the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>How it ended, and what else must be seen at once.</summary>
    public IReadOnlyList<Badge> Badges { get; init; } = [];

    /// <summary>Which rate, and then what kept it from being higher, what the figure speaks of, and what to change next.</summary>
    public required IReadOnlyList<string> Result { get; init; }

    /// <summary>The small print below the result.</summary>
    public IReadOnlyList<string> About { get; init; } = [];

    /// <summary>The picture first, then all other parts.</summary>
    public required IReadOnlyList<ReportPart> Parts { get; init; }

    /// <summary>One file that asks for nothing else: light and dark, for screens, phones and paper.</summary>
    public string ToHtml()
    {
        var title = Name ?? Subject;
        var page = Tag("html", Attr("lang", "en"),
            Tag("head",
                Tag("meta", Attr("charset", "utf-8")),
                Tag("meta", Attr("name", "viewport"), Attr("content", "width=device-width, initial-scale=1")),
                Tag("meta", Attr("name", "color-scheme"), Attr("content", "light dark")),
                Tag("meta", Attr("http-equiv", "Content-Security-Policy"), Attr("content", PageAssets.Policy)),
                Tag("title", Simulated ? $"{title} (simulated)" : title),
                PageAssets.Styles()),
            Tag("body", Tag("main", Header(title), Parts.Select(part => part.Html(Simulated))), PageAssets.Scripts()));
        return "<!DOCTYPE html>\n" + page.ToString(SaveOptions.DisableFormatting) + "\n";
    }

    /// <summary>Readable in a terminal and on GitHub, without charts.</summary>
    public string ToMarkdown()
    {
        var text = new StringBuilder($"# {MarkdownText.Escape(Name is null ? Subject : $"{Subject}: {Name}")}\n\n");
        if (Simulated)
            text.Append("*Simulated: all measured numbers are from the simulated account.*\n\n");
        text.Append("**").Append(MarkdownText.Escape(string.Join(' ', Result))).Append("**\n\n");
        foreach (var line in About)
            text.Append(MarkdownText.Escape(line)).Append("\n\n");
        foreach (var part in Parts)
            text.Append(part.Markdown(Simulated));
        return text.ToString().TrimEnd('\n') + "\n";
    }

    private XElement Header(string title) => Tag("header",
        Badges.Count == 0 && !Simulated ? null : Tag("p", Class("badges"),
            Badges.Select(badge => Tag("span", Class($"badge {badge.Style}"), badge.Text)),
            Simulated ? Tag("span", Class("badge sim"), "simulated account") : null),
        Tag("h1", title),
        Tag("p", Class("headline"), Tag("strong", Result[0]), Result.Skip(1).Select(sentence => (object)$" {sentence}")),
        Tag("p", Class("meta"), string.Join(" ", About)));
}

/// <summary>A word or two at the top of a page.</summary>
/// <param name="Text">Such as <c>Complete</c>.</param>
/// <param name="Style">CSS class of its colour: <c>good</c>, <c>fair</c> or <c>bad</c>.</param>
internal sealed record Badge(string Text, string Style);

/// <summary>A part of a report in both forms; either may be nothing. Each is written with whether the figures are simulated.</summary>
/// <param name="Html">Null for nothing.</param>
/// <param name="Markdown">Ends in an empty line; empty for nothing.</param>
internal sealed record ReportPart(Func<bool, XElement?> Html, Func<bool, string> Markdown)
{
    /// <summary>A chart, which only the page has. Its sentence stands there as text.</summary>
    public static ReportPart From(Chart chart) => Page(simulated => Tag("figure",
        Class("chart"),
        Attr("id", $"chart-{chart.Id}"),
        Tag("h2", chart.Title, simulated ? SimulatedLabel() : null),
        Tag("script", Attr("type", "application/json"), chart.ToJson()),
        Tag("div", Class("picture"), Attr("role", "group"), Attr("aria-label", chart.Title), ""),
        Tag("figcaption", chart.Sentence, chart.Note is { } note ? $" {note}" : null)));

    /// <summary>What only the page has.</summary>
    public static ReportPart Page(Func<bool, XElement?> html) => new(html, _ => "");

    /// <summary>A table with its note.</summary>
    public static ReportPart From(TextTable table) => new(
        simulated => TableMarkup.Section(table, simulated),
        simulated => Heading(table.Title, simulated) + MarkdownText.Table(table) + "\n"
            + (table.Note is { } note ? MarkdownText.Escape(note) + "\n\n" : ""));

    /// <summary>Sentences under a heading; nothing where there are none.</summary>
    /// <param name="style">CSS class.</param>
    public static ReportPart List(string style, string title, IReadOnlyList<string> items) => new(
        _ => items.Count == 0 ? null : Tag("section", Class(style), Tag("h2", title), Tag("ul", items.Select(item => Tag("li", item)))),
        _ => items.Count == 0 ? "" : Heading(title, simulated: false)
            + string.Concat(items.Select(item => $"- {MarkdownText.Escape(item)}\n")) + "\n");

    /// <summary>A heading in Markdown.</summary>
    public static string Heading(string title, bool simulated) => $"## {title}{(simulated ? " (simulated)" : "")}\n\n";
}
