namespace ScaleOut.Measurement;

/// <summary>Consecutive UTC seconds that all series of a run share as their axis.</summary>
/// <param name="First">In seconds since 1970.</param>
/// <param name="Count">0 when nothing was measured.</param>
public readonly record struct SecondRange(long First, int Count)
{
    /// <summary>From the first to the last second that any of the legs measured.</summary>
    public static SecondRange Of(IEnumerable<LegResult> legs)
    {
        long first = long.MaxValue, end = long.MinValue;
        foreach (var leg in legs)
        {
            foreach (var sample in leg.Seconds)
                (first, end) = (Math.Min(first, sample.Second), Math.Max(end, sample.Second + 1));
            foreach (var partition in leg.Partitions.Where(p => p.RequestUnitsPerSecond.Count > 0))
                (first, end) = (Math.Min(first, partition.FirstSecond), Math.Max(end, partition.FirstSecond + partition.RequestUnitsPerSecond.Count));
        }

        return end > first ? new SecondRange(first, checked((int)(end - first))) : new SecondRange(0, 0);
    }

    /// <summary>Position of a second on the axis.</summary>
    public int IndexOf(long second) => checked((int)(second - First));

    /// <summary>Sum of the values of some seconds; seconds off the axis count 0.</summary>
    public double SumOver(IReadOnlyList<double> values, IEnumerable<long> seconds)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(seconds);
        var (first, count) = this;
        return seconds.Where(second => second >= first && second < first + count).Sum(second => values[(int)(second - first)]);
    }
}
