using System.Xml;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Text;

/// <summary>Makes elements. All text goes through here as text, never as markup, so whatever a user wrote is shown as it is.</summary>
internal static class Markup
{
    /// <summary>An element with attributes, child elements and text.</summary>
    /// <param name="content">Attributes, elements, sequences of them, text; nulls are left out.</param>
    public static XElement Tag(string name, params object?[] content) => new(name, content.Select(Clean));

    /// <summary>An attribute.</summary>
    public static XAttribute Attr(string name, string value) => new(name, Clean(value) ?? "");

    public static XAttribute Class(string value) => new("class", value);

    /// <summary>The label of everything that comes from the simulated account.</summary>
    public static XElement SimulatedLabel() => Tag("em", Class("simulated"), "simulated");

    /// <summary>Characters that no XML document may hold are shown as U+FFFD.</summary>
    private static object? Clean(object? content) => content is string text
        ? string.Concat(
            text.EnumerateRunes().Select(rune => rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? "\uFFFD" : rune.ToString()))
        : content;
}

/// <summary>Writes Markdown that shows any text as it is and reads well unrendered.</summary>
internal static class MarkdownText
{
    private const string Special = "\\`*_{}[]<>|#~&$";

    /// <summary>Text on one line in which nothing is markup.</summary>
    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length);
        foreach (var c in text)
        {
            if (char.IsControl(c))
            {
                escaped.Append(' ');
                continue;
            }

            if (Special.Contains(c, StringComparison.Ordinal))
                escaped.Append('\\');
            escaped.Append(c);
        }

        return escaped.ToString();
    }
}
