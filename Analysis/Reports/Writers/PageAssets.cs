using System.Reflection;
using System.Security.Cryptography;

namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>The scripts and style sheets of a report, which stand in its file.</summary>
internal static class PageAssets
{
    private static readonly string Library = Read("uPlot.iife.min.js");

    /// <summary>The drawing module, and what draws the page's charts with it, as one.</summary>
    private static readonly string Module =
        Read("charts.js").Replace("export class", "class", StringComparison.Ordinal) + Read("report.js");

    private static readonly string StyleSheet = Read("uPlot.min.css") + Read("charts.css") + Read("report.css");

    /// <summary>Allows these scripts alone, by their hashes: what a name holds is never run.</summary>
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

    /// <summary>An element whose text XML and HTML read alike, though it holds characters that XML would escape.</summary>
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
