namespace ScaleOut.Slicing;

/// <summary>Cuts a run's document numbers into one slice per worker.</summary>
public static class Slices
{
    /// <summary>
    /// Returns contiguous slices that cover 0 to <paramref name="documents"/> (exclusive) without gap or overlap. Every slice starts on a
    /// multiple of <paramref name="unit"/>. Slices differ by at most one unit, and the larger ones come first.
    /// </summary>
    /// <param name="unit">Documents per operation; the last unit may be short.</param>
    public static IReadOnlyList<NumberRange> Cut(long documents, int workers, int unit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(documents, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(workers, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(unit, 1);

        var (unitsEach, larger) = Math.DivRem((documents + unit - 1) / unit, workers);
        var slices = new NumberRange[workers];
        long first = 0;
        for (var worker = 0; worker < workers; worker++)
        {
            var units = unitsEach + (worker < larger ? 1 : 0);
            var count = Math.Min(units * unit, documents - first);
            slices[worker] = new NumberRange(first, count);
            first += count;
        }

        return slices;
    }
}
