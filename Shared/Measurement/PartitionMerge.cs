namespace ScaleOut.Measurement;

/// <summary>
/// Adds up the counts of legs by partition key range. Only equal ranges are added. If a partition was split between two legs, the counts
/// of the old range stay with it, because nobody knows how they would divide between the new ranges. The sum over all ranges is the sum
/// over all legs.
/// </summary>
public static class PartitionMerge
{
    /// <summary>Merges the legs' partitions, in order of their ranges. A superseded range comes before its replacements.</summary>
    public static IReadOnlyList<MergedPartition> Merge(IEnumerable<LegResult> legs)
    {
        var byRange = legs.SelectMany(leg => leg.Partitions).GroupBy(RangeOf).ToDictionary(group => group.Key, group => group.ToList());

        var ranges = byRange.Keys
            .OrderBy(range => range.Min, StringComparer.Ordinal)
            .ThenByDescending(range => range.Max, StringComparer.Ordinal)
            .ToList();
        var superseded = ranges.Where(outer => ranges.Any(inner => Replaces(inner, outer))).ToHashSet();
        var before = ranges.Count(inner => !ranges.Any(outer => Replaces(inner, outer)));
        var after = ranges.Count - superseded.Count;
        return
        [
            .. ranges.Select(range => Add(range, byRange[range], superseded.Contains(range), superseded.Contains(range) ? before : after)),
        ];
    }

    private static (string Min, string Max) RangeOf(PartitionSample sample) =>
        (sample.Min.ToUpperInvariant(), sample.Max.ToUpperInvariant());

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
            Counts = Counts.Sum(samples.Select(sample => sample.Counts)),
            PerSecond = perSecond,
            Siblings = siblings,
            Superseded = superseded,
        };
    }
}

/// <summary>Counts and charges of all legs for one range of effective partition keys.</summary>
public sealed record MergedPartition
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range.</summary>
    public required string Max { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>RU charged by UTC second, ascending. Seconds without a charge are left out.</summary>
    public required IReadOnlyDictionary<long, double> PerSecond { get; init; }

    /// <summary>Number of ranges that existed at the same time, including this one. They share the container's RU/s.</summary>
    public required int Siblings { get; init; }

    /// <summary>Whether a split replaced the range by smaller ones during the run.</summary>
    public required bool Superseded { get; init; }
}

/// <summary>Counts and charges of one leg for one physical partition, by the hash of each document's partition key.</summary>
public sealed record PartitionSample
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range; <c>FF</c> for the highest.</summary>
    public required string Max { get; init; }

    public Counts Counts { get; init; }

    /// <summary>The UTC second (since 1970) of the first entry of <see cref="RequestUnitsPerSecond"/>.</summary>
    public long FirstSecond { get; init; }

    /// <summary>RU charged in each second from <see cref="FirstSecond"/> on.</summary>
    public IReadOnlyList<double> RequestUnitsPerSecond { get; init; } = [];
}
