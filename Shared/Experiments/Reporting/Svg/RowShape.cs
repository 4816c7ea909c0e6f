namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>How a value is drawn.</summary>
internal enum RowShape
{
    Dot,
    Diamond,

    /// <summary>An upright stroke through the row, for limits.</summary>
    Tick,
}
