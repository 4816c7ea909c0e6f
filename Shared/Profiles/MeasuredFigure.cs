namespace ScaleOut.Profiles;

/// <summary>A figure that was measured.</summary>
/// <param name="Value">In the unit of its name.</param>
/// <param name="Low">Lower end of the 95% interval.</param>
/// <param name="High">Upper end of the 95% interval.</param>
/// <param name="Count">Runs that it rests on, at least 2.</param>
public sealed record MeasuredFigure(double Value, double Low, double High, long Count)
{
    /// <summary>Half of the interval's width.</summary>
    public double Reach() => (High - Low) / 2;

    /// <summary>Whether the interval holds a value.</summary>
    public bool Covers(double value) => value >= Low && value <= High;
}
