namespace ScaleOut.Charges;

/// <summary>A row of a table: the charge of an operation on a document up to some size.</summary>
/// <param name="Bytes">Above 0.</param>
/// <param name="RequestUnits">0 and more.</param>
public sealed record SizeCharge(
    [property: SpecField("Size of the document.", Required = true, Min = 1, Max = SizeCharge.MaxBytes)] long Bytes,
    [property: SpecField("What it is charged.", Required = true, Min = 0.01, Max = SizeCharge.MaxRequestUnits)]
    double RequestUnits)
{
    /// <summary>Largest charge that can be given.</summary>
    public const double MaxRequestUnits = 100_000;

    /// <summary>Twice the largest size of a document.</summary>
    private const int MaxBytes = 4 * 1_024 * 1_024;
}

/// <summary>
/// The charge as a function of the size: that of the smallest row that is at least as large. Beyond the last row it grows in proportion to
/// the size, as the documented tables do from 1 MB to 2 MB.
/// </summary>
internal sealed class SizeCurve
{
    private readonly long[] _sizes;
    private readonly RequestUnits[] _charges;

    /// <param name="rows">At least two, by ascending size.</param>
    /// <exception cref="ArgumentException">Fewer than two rows, or sizes that do not ascend from above 0.</exception>
    public SizeCurve(IReadOnlyList<SizeCharge> rows)
    {
        if (rows.Count < 2 || rows[0].Bytes <= 0 || rows.Zip(rows.Skip(1)).Any(pair => pair.First.Bytes >= pair.Second.Bytes))
            throw new ArgumentException("A curve needs at least two rows, by ascending size from above 0 bytes.", nameof(rows));
        _sizes = [.. rows.Select(row => row.Bytes)];
        _charges = [.. rows.Select(row => RequestUnits.From(row.RequestUnits))];
    }

    public RequestUnits At(long bytes)
    {
        for (var i = 0; i < _sizes.Length; i++)
        {
            if (bytes <= _sizes[i])
                return _charges[i];
        }

        return RequestUnits.From(_charges[^1].Value * bytes / _sizes[^1]);
    }

    /// <summary>
    /// A table with the sizes of <paramref name="rows"/> that has the charges of measured documents. A measured charge is that of the whole
    /// row that its size belongs to; of several in one row the largest counts. Rows between two measured ones lie between their charges as
    /// they do in <paramref name="rows"/>. Those outside keep their ratio to the nearest measured one.
    /// </summary>
    /// <param name="measured">At least one, by ascending size.</param>
    /// <param name="systemBytes">By how much a document's stored size is above its measured size.</param>
    public static IReadOnlyList<SizeCharge> FromMeasured(
        IReadOnlyList<SizeCharge> rows, IReadOnlyList<SizeCharge> measured, int systemBytes)
    {
        var curve = new SizeCurve(rows);
        var known = measured.GroupBy(point => curve.At(point.Bytes + systemBytes).Value)
            .Select(row => (Standard: row.Key, Charge: row.Max(point => point.RequestUnits))).ToList();
        return [.. rows.Select(row => row with { RequestUnits = ChargeOf(row.RequestUnits) })];

        double ChargeOf(double charge)
        {
            var next = known.FindIndex(row => row.Standard >= charge - (0.5 / RequestUnits.PerUnit));
            if (next <= 0)
            {
                var nearest = known[next < 0 ? ^1 : 0];
                return nearest.Charge * charge / nearest.Standard;
            }

            var (low, high) = (known[next - 1], known[next]);
            return low.Charge + ((high.Charge - low.Charge) * (charge - low.Standard) / (high.Standard - low.Standard));
        }
    }
}
