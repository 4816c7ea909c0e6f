namespace ScaleOut.Charges;

/// <summary>What an operation on a document of some size is charged: a point of a table.</summary>
/// <param name="Bytes">The document's JSON in UTF-8, above 0.</param>
/// <param name="RequestUnits">0 and more.</param>
public sealed record SizeCharge(long Bytes, double RequestUnits);

/// <summary>
/// A charge by size, exact at the points of a table. Between two points the charge is linear in the logarithm of the size. Below the first
/// point it is the first point's; beyond the last one it grows in proportion to the size, as the documented tables do from 1 MB to 2 MB.
/// </summary>
internal sealed class SizeCurve
{
    private readonly long[] _sizes;
    private readonly double[] _charges;
    private readonly double[] _logs;
    private readonly double[] _slopes;

    /// <param name="points">At least two, by ascending size.</param>
    /// <exception cref="ArgumentException">Fewer than two points, or sizes that do not ascend from above 0.</exception>
    public SizeCurve(IReadOnlyList<SizeCharge> points)
    {
        if (points.Count < 2 || points[0].Bytes <= 0 || points.Zip(points.Skip(1)).Any(pair => pair.First.Bytes >= pair.Second.Bytes))
            throw new ArgumentException("A curve needs at least two points, by ascending size from above 0 bytes.", nameof(points));
        _sizes = [.. points.Select(point => point.Bytes)];
        _charges = [.. points.Select(point => point.RequestUnits)];
        _logs = [.. _sizes.Select(size => Math.Log2(size))];
        _slopes = [.. Enumerable.Range(0, _sizes.Length - 1).Select(i => (_charges[i + 1] - _charges[i]) / (_logs[i + 1] - _logs[i]))];
    }

    /// <summary>The charge of a size. It allocates nothing, and takes a logarithm only above the first point.</summary>
    public double At(long bytes)
    {
        if (bytes <= _sizes[0])
            return _charges[0];
        if (bytes >= _sizes[^1])
            return _charges[^1] * bytes / _sizes[^1];
        var i = 0;
        while (bytes >= _sizes[i + 1])
            i++;
        return _charges[i] + (_slopes[i] * (Math.Log2(bytes) - _logs[i]));
    }

    /// <summary>As <see cref="At"/>, but below the first point in proportion to the size.</summary>
    public double Proportional(long bytes) => bytes < _sizes[0] ? _charges[0] * bytes / _sizes[0] : At(bytes);
}
