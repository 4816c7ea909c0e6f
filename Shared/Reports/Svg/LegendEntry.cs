namespace ScaleOut.Reports.Svg;

/// <summary>One entry of a plot's legend.</summary>
/// <param name="Text">What it stands for.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Kind">How it is drawn: <c>area</c>, <c>line</c> or <c>dash</c>.</param>
internal sealed record LegendEntry(string Text, string Colour, string Kind = "area");
