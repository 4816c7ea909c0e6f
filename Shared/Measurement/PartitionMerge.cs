namespace ScaleOut.Measurement;

/// <summary>
/// Adds up what legs did to each range. Only equal ranges are added: when a split came between two legs, what went to the old range stays with it,
/// as nobody can tell afterwards how it was shared between the new ones. The sums over all ranges are those of the legs.
/// </summary>
public static class PartitionMerge
{
    /// <summary>Merges the legs' partitions, in order of their ranges; a superseded range comes before those that replaced it.</summary>
    public static IReadOnlyList<MergedPartition> Merge(IEnumerable<LegResult> legs)
    {
        ArgumentNullException.ThrowIfNull(legs);
        var byRange = legs.SelectMany(leg => leg.Partitions).GroupBy(RangeOf).ToDictionary(group => group.Key, group => group.ToList());

        var ranges = byRange.Keys.OrderBy(range => range.Min, StringComparer.Ordinal).ThenByDescending(range => range.Max, StringComparer.Ordinal).ToList();
        var superseded = ranges.Where(outer => ranges.Any(inner => Replaces(inner, outer))).ToHashSet();
        var before = ranges.Count(inner => !ranges.Any(outer => Replaces(inner, outer)));
        var after = ranges.Count - superseded.Count;
        return
        [
            .. ranges.Select(range => Add(range, byRange[range], superseded.Contains(range), superseded.Contains(range) ? before : after)),
        ];
    }

    private static (string Min, string Max) RangeOf(PartitionSample sample) => (sample.Min.ToUpperInvariant(), sample.Max.ToUpperInvariant());

    private static bool Replaces((string Min, string Max) inner, (string Min, string Max) outer) =>
        inner != outer && string.CompareOrdinal(outer.Min, inner.Min) <= 0 && string.CompareOrdinal(inner.Max, outer.Max) <= 0;

    private static MergedPartition Add((string Min, string Max) range, List<PartitionSample> samples, bool superseded, int siblings)
    {
        var perSecond = new SortedList<long, double>();
        foreach (var sample in samples)
        {
            foreach (var (i, charged) in sample.RequestUnitsPerSecond.Index().Where(entry => entry.Item != 0))
                perSecond[sample.FirstSecond + i] = perSecond.GetValueOrDefault(sample.FirstSecond + i) + charged;
        }

        return new()
        {
            Min = range.Min,
            Max = range.Max,
            Documents = samples.Sum(sample => sample.Documents),
            Throttled = samples.Sum(sample => sample.Throttled),
            RequestUnits = samples.Sum(sample => sample.RequestUnits),
            PerSecond = perSecond,
            Siblings = siblings,
            Superseded = superseded,
        };
    }
}
