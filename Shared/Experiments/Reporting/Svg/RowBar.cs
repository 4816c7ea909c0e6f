namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>A stretch between two values in a row of a <see cref="RowPlot"/>.</summary>
/// <param name="From">Lower value.</param>
/// <param name="To">Upper value.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Thick">Whether it is a bar rather than a line, as of an interval.</param>
internal sealed record RowBar(double From, double To, string Colour, bool Thick = false);
