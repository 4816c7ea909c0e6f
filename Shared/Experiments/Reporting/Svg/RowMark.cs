namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>One value in a row of a <see cref="RowPlot"/>.</summary>
/// <param name="At">The value.</param>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Title">Name and value, for those who point at it.</param>
internal sealed record RowMark(double At, RowShape Shape, string Colour, string Title);
