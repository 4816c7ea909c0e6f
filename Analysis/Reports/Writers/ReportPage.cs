using System.Reflection;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>
/// What a command shows to people, in the order in which it is read: the result in two sentences, the picture that shows it, then
/// everything else. HTML, Markdown and the text of the console are written from it alone.
/// </summary>
public sealed record ReportPage
{
    /// <summary>What the page is about, such as <c>Run first</c>.</summary>
    public required string Subject { get; init; }

    /// <summary>The user's name for the subject. Optional.</summary>
    public string? Name { get; init; }

    /// <summary>Whether its figures come from the simulated account.</summary>
    public bool Simulated { get; init; }

    /// <summary>Says which figures are simulated.</summary>
    public string SimulatedNote { get; init; } = "Simulated: all measured numbers are from the simulated account.";

    /// <summary>The verdict in words: the state, whether figures are valid, what bound them, and what else must be seen at once.</summary>
    public IReadOnlyList<Badge> Badges { get; init; } = [];

    /// <summary>The one figure that HTML shows largest. Optional.</summary>
    public KeyFigure? Number { get; init; }

    /// <summary>Sentences: first the rate, then what it says.</summary>
    public required IReadOnlyList<string> Result { get; init; }

    /// <summary>
    /// What kept the rate from being higher, and what it is evidence about. Follows the result on the console and in Markdown; in HTML a
    /// part below the picture has it (<see cref="UsedLimits"/>). Optional.
    /// </summary>
    public string? Bound { get; init; }

    /// <summary>What to change next, as a sentence that follows those above. Optional.</summary>
    public string? Next { get; init; }

    /// <summary>The command that started it or that goes on from it, which HTML offers to copy; null if there is none.</summary>
    public string? Command { get; init; }

    /// <summary>The small print below the result.</summary>
    public IReadOnlyList<string> About { get; init; } = [];

    /// <summary>The most important figures, the picture, then all other parts.</summary>
    public required IReadOnlyList<ReportPart> Parts { get; init; }

    /// <summary>Smallest number of parts for which a page lists its contents.</summary>
    private const int MinContents = 5;

    /// <summary>A single HTML file that loads no other file. It supports light and dark mode, phones and printing.</summary>
    /// <param name="files">Names of the files that have the charts' numbers; empty if only the page has them.</param>
    public string ToHtml(params IReadOnlyList<string> files)
    {
        var title = Name ?? Subject;
        var sections = Sections();
        var page = Tag("html", Attr("lang", "en"),
            Tag("head",
                Tag("meta", Attr("charset", "utf-8")),
                Tag("meta", Attr("name", "viewport"), Attr("content", "width=device-width, initial-scale=1")),
                Tag("meta", Attr("name", "color-scheme"), Attr("content", "light dark")),
                Tag("meta", Attr("http-equiv", "Content-Security-Policy"), Attr("content", PageAssets.Policy)),
                Tag("title", Simulated ? $"{title} (simulated)" : title),
                PageAssets.Styles()),
            Tag("body",
                Tag("main", Header(title), Contents(sections), WithoutScripts(files), sections.Select(section => section.Html)),
                PageAssets.Scripts()));
        return "<!DOCTYPE html>\n" + page.ToString(SaveOptions.DisableFormatting) + "\n";
    }

    /// <summary>Readable in a terminal and on GitHub, without charts.</summary>
    public string ToMarkdown()
    {
        var text = new StringBuilder($"# {MarkdownText.Escape(Name is null ? Subject : $"{Subject}: {Name}")}\n\n");
        if (Simulated)
            text.Append('*').Append(MarkdownText.Escape(SimulatedNote)).Append("*\n\n");
        text.Append("**").Append(MarkdownText.Escape(string.Join(' ', Opening))).Append("**\n\n");
        foreach (var line in About)
            text.Append(MarkdownText.Escape(line)).Append("\n\n");
        foreach (var part in Parts)
            text.Append(part.Markdown(Simulated));
        return text.ToString().TrimEnd('\n') + "\n";
    }

    /// <summary>The lines for the console: the result, the small print, and the parts that the console has room for.</summary>
    /// <param name="width">Columns of the console. By default lines are not wrapped.</param>
    public IReadOnlyList<string> ToText(int width = int.MaxValue)
    {
        var first = Simulated ? $"Simulated: {Result[0]}" : Result[0];
        var lines = WrappedLines.From(first, width)
            .Concat(Opening.Skip(1).Concat(About).SelectMany(line => WrappedLines.From(line, width)))
            .Concat(Parts.SelectMany(part => part.Lines(width) is { Count: > 0 } some ? some.Prepend("") : []));
        // What a user wrote must not control the terminal.
        return [.. lines.Select(line => string.Concat(line.Select(c => char.IsControl(c) ? ' ' : c)))];
    }

    private IEnumerable<string> Opening => Result.Concat(new[] { Bound, Next }.OfType<string>());

    /// <summary>What the page shows of its parts, each with an id of its own to link to.</summary>
    private List<(string Id, string? Title, XElement Html)> Sections()
    {
        var sections = new List<(string Id, string? Title, XElement Html)>();
        foreach (var part in Parts)
        {
            if (part.Html(Simulated) is not { } html)
                continue;
            var name = html.Attribute("id")?.Value ?? IdOf(part.Title ?? "part");
            var id = name;
            for (var number = 2; sections.Exists(section => section.Id == id); number++)
                id = $"{name}-{number}";
            html.SetAttributeValue("id", id);
            sections.Add((id, part.Title, html));
        }

        // Two charts that follow each other share a row, where a page is wide enough.
        for (var i = 1; i < sections.Count; i++)
        {
            if (sections[i - 1].Html.Attribute("class")?.Value == "chart" && sections[i].Html.Attribute("class")?.Value == "chart")
            {
                sections[i - 1].Html.SetAttributeValue("class", "chart half");
                sections[i].Html.SetAttributeValue("class", "chart half");
            }
        }

        return sections;
    }

    /// <summary>The letters and digits of a title, such as <c>how-it-was-measured</c>.</summary>
    private static string IdOf(string title) => string.Join('-', new string(
        [.. title.ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : ' ')])
        .Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static XElement? Contents(List<(string Id, string? Title, XElement Html)> sections) => sections.Count < MinContents
        ? null
        : Tag("nav", Class("contents"), Attr("aria-label", "Contents"), Tag("ul", sections.Where(section => section.Title is not null)
            .Select(section => Tag("li", Tag("a", Attr("href", $"#{section.Id}"), section.Title)))));

    /// <summary>Says where the numbers of the charts are if the browser does not run scripts.</summary>
    private XElement? WithoutScripts(IReadOnlyList<string> files) => Parts.Any(part => part.NeedsScripts)
        ? Tag("noscript", Tag("p", Class("note"), "Charts need JavaScript, which is off here. Their numbers are in the tables below"
            + (files.Count == 0 ? "." : $", and all of them in the files {string.Join(" and ", files)}, which are part of this report.")))
        : null;

    /// <summary>The style of the worst badge.</summary>
    private string Style =>
        Badges.Any(badge => badge.Style == "bad") ? "bad" : Badges.Any(badge => badge.Style == "fair") ? "fair" : "good";

    private XElement Header(string title) => Tag("header",
        Tag("h1", title),
        Tag("div", Class($"verdict {Style}"),
            Badges.Count == 0 && !Simulated ? null : Tag("p", Class("badges"),
                Badges.Select(badge => Tag("span", Class($"badge {badge.Style}"), badge.Text)),
                Simulated ? Tag("span", Class("badge sim"), "simulated account") : null),
            Number is null ? null : KeyFigures.Card(Number, "hero"),
            Tag("p", Class("headline"), Tag("strong", Result[0]), Result.Skip(1).Select(sentence => (object)$" {sentence}")),
            Next is null && Command is null ? null : Tag("p", Class("next"), Next, Command is null ? null : Tag("code", Command))),
        Tag("p", Class("meta"), string.Join(" ", Simulated ? About.Prepend(SimulatedNote) : About)));
}

/// <summary>A word or two at the top of a page.</summary>
/// <param name="Text">Such as <c>Complete</c>.</param>
/// <param name="Style">CSS class of its colour: <c>good</c>, <c>fair</c>, <c>bad</c>, <c>sim</c> or <c>muted</c>.</param>
public sealed record Badge(string Text, string Style)
{
    /// <summary>Says what bound it; empty if that is not known.</summary>
    public static IEnumerable<Badge> Of(BoundBy? bound) => bound is null ? [] : [new($"Bound by {Words.From(bound)}", "muted")];
}

/// <summary>The scripts and style sheets of a report, which are embedded in its file.</summary>
internal static class PageAssets
{
    private static readonly string Library = Read("uPlot.iife.min.js");

    /// <summary>The modules of charts and tables, and the script that uses them on the page, joined to one script.</summary>
    private static readonly string Module = (Read("charts.js") + Read("tables.js")).Replace("\nexport ", "\n", StringComparison.Ordinal)
        + Read("report.js");

    private static readonly string StyleSheet = Read("uPlot.min.css") + Read("charts.css") + Read("report.css");

    /// <summary>Content security policy. It allows only these scripts, by their hashes, so a script in a user's text never runs.</summary>
    public static string Policy { get; } = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        + $"script-src 'sha256-{Hash(Framed(Library))}' 'sha256-{Hash(Framed(Module))}'";

    public static XElement Styles() => Element("style", StyleSheet);

    public static IEnumerable<XElement> Scripts()
    {
        yield return Element("script", Library);
        var module = Element("script", Module);
        module.SetAttributeValue("type", "module");
        yield return module;
    }

    private static string Hash(string text) => Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    /// <summary>An element whose text XML and HTML parsers read alike, although it has characters that XML would escape.</summary>
    private static XElement Element(string name, string text) =>
        new(name, new XText("/*"), new XCData($"*/{text}/*"), new XText("*/"));

    private static string Framed(string text) => $"/*<![CDATA[*/{text}/*]]>*/";

    private static string Read(string name)
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream($"page.{name}")
            ?? throw new InvalidOperationException($"The resource {name} is missing.");
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return reader.ReadToEnd();
    }
}
