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
        return [.. Enumerable.Range(0, workers).Select(worker => NumberRange.Between(StartOf(worker), StartOf(worker + 1)))];

        long StartOf(int worker) => Math.Min(documents, unit * ((unitsEach * worker) + Math.Min(worker, larger)));
    }
}
