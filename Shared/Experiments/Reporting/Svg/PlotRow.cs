namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>One row of a <see cref="RowPlot"/>, such as a variant.</summary>
internal sealed record PlotRow(string Label, IReadOnlyList<RowBar> Bars, IReadOnlyList<RowMark> Marks);
