using System.Globalization;
using System.Xml;
using System.Xml.Linq;

namespace ScaleOut.Reports.Html;

/// <summary>Makes elements. All text goes through here as text, never as markup, so whatever a user wrote is shown as it is.</summary>
internal static class Markup
{
    /// <summary>An element with attributes, child elements and text.</summary>
    /// <param name="name">Tag name.</param>
    /// <param name="content">Attributes, elements, sequences of them, text; nulls are left out.</param>
    public static XElement Tag(string name, params object?[] content) => new(name, content.Select(Clean));

    /// <summary>An attribute.</summary>
    public static XAttribute Attr(string name, string value) => new(name, Clean(value) ?? "");

    /// <summary>An attribute with a coordinate, to 0.1.</summary>
    public static XAttribute Attr(string name, double value) => new(name, Coordinate(value));

    public static XAttribute Class(string value) => new("class", value);

    /// <summary>A coordinate as SVG writes it.</summary>
    public static string Coordinate(double value) => Math.Round(value, 1).ToString(CultureInfo.InvariantCulture);

    /// <summary>Characters that no XML document may hold are shown as U+FFFD.</summary>
    private static object? Clean(object? content) => content is string text
        ? string.Concat(text.EnumerateRunes().Select(rune => rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? "\uFFFD" : rune.ToString()))
        : content;
}
