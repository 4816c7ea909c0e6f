using System.Xml.Linq;

namespace ScaleOut.Reports.Svg;

/// <summary>A plot in both sizes, with what is said about it.</summary>
/// <param name="Id">Unique on the page; makes the ids of its titles.</param>
/// <param name="Title">What it shows.</param>
/// <param name="Description">The same in a sentence with the figures that matter, for those who cannot see it.</param>
/// <param name="Legend">In the order of drawing.</param>
/// <param name="Draw">Draws it in a size.</param>
/// <param name="Note">What must be known to read it; null when nothing.</param>
/// <param name="Fit">Changes a size to what the plot needs, such as a row for each variant; null when the common sizes will do.</param>
internal sealed record Plot(string Id, string Title, string Description, IReadOnlyList<LegendEntry> Legend, Func<PlotSize, IEnumerable<XElement>> Draw, string? Note = null, Func<PlotSize, PlotSize>? Fit = null);
