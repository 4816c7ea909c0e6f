namespace ScaleOut.Reports.Svg;

/// <summary>Maps values to coordinates, linearly or by their logarithm.</summary>
internal sealed class Scale
{
    private readonly double _from;
    private readonly double _to;
    private readonly double _start;
    private readonly double _end;
    private readonly bool _isLog;

    private Scale(double from, double to, double start, double end, bool isLog)
    {
        (_from, _to) = isLog ? (Math.Log(from), Math.Log(to)) : (from, to);
        (_start, _end, _isLog) = (start, end, isLog);
    }

    /// <summary>A linear scale; <paramref name="from"/> lies at <paramref name="start"/>.</summary>
    public static Scale Linear(double from, double to, double start, double end) => new(from, to > from ? to : from + 1, start, end, isLog: false);

    /// <summary>A logarithmic scale of positive values.</summary>
    public static Scale Log(double from, double to, double start, double end) => new(from, to > from ? to : from * 10, start, end, isLog: true);

    /// <summary>The coordinate of a value.</summary>
    public double At(double value) => _start + (((_isLog ? Math.Log(value) : value) - _from) / (_to - _from) * (_end - _start));
}
