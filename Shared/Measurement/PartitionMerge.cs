namespace ScaleOut.Measurement;

/// <summary>
/// Adds up the counts of legs by partition key range, one leg after the other, so that only the sums are in memory. Only equal ranges are
/// added. If a partition was split between two legs, the counts of the old range stay with it, because their division between the new
/// ranges is not known. The sum over all ranges is the sum over all legs. Not thread-safe.
/// </summary>
public sealed class PartitionMerge
{
    private readonly Dictionary<(string Min, string Max), RangeSum> _sums = [];

    /// <summary>Merges the legs' partitions, in order of their ranges. A superseded range comes before its replacements.</summary>
    public static IReadOnlyList<MergedPartition> Merge(IEnumerable<LegResult> legs)
    {
        var merge = new PartitionMerge();
        foreach (var leg in legs)
            merge.Add(leg);
        return merge.Merged();
    }

    public void Add(LegResult leg)
    {
        foreach (var sample in leg.Partitions)
        {
            var range = (sample.Min.ToUpperInvariant(), sample.Max.ToUpperInvariant());
            if (!_sums.TryGetValue(range, out var sum))
                _sums.Add(range, sum = new RangeSum());
            sum.Add(sample);
        }
    }

    /// <summary>What was added so far, in order of the ranges. A superseded range comes before its replacements.</summary>
    public IReadOnlyList<MergedPartition> Merged()
    {
        var ranges = _sums.Keys
            .OrderBy(range => range.Min, StringComparer.Ordinal)
            .ThenByDescending(range => range.Max, StringComparer.Ordinal)
            .ToList();
        var superseded = ranges.Where(outer => ranges.Any(inner => Replaces(inner, outer))).ToHashSet();
        var before = ranges.Count(inner => !ranges.Any(outer => Replaces(inner, outer)));
        var after = ranges.Count - superseded.Count;
        return
        [
            .. ranges.Select(range => new MergedPartition
            {
                Min = range.Min,
                Max = range.Max,
                Counts = _sums[range].Counts,
                PerSecond = _sums[range].PerSecond(),
                Siblings = superseded.Contains(range) ? before : after,
                Superseded = superseded.Contains(range),
            }),
        ];
    }

    private static bool Replaces((string Min, string Max) inner, (string Min, string Max) outer) =>
        inner != outer && string.CompareOrdinal(outer.Min, inner.Min) <= 0 && string.CompareOrdinal(inner.Max, outer.Max) <= 0;

    /// <summary>The sums of one range. Seconds are kept in blocks, because a resumed run may have hours without any.</summary>
    private sealed class RangeSum
    {
        private const int BlockSeconds = 64;

        private readonly SortedDictionary<long, double[]> _blocks = [];

        public Counts Counts { get; private set; }

        public void Add(PartitionSample sample)
        {
            Counts += sample.Counts;
            var (block, first) = (Array.Empty<double>(), long.MinValue);
            for (var i = 0; i < sample.RequestUnitsPerSecond.Count; i++)
            {
                if (sample.RequestUnitsPerSecond[i] is not (not 0 and var charged))
                    continue;
                var second = sample.FirstSecond + i;
                var offset = (int)(((second % BlockSeconds) + BlockSeconds) % BlockSeconds);
                if (second - offset != first)
                {
                    first = second - offset;
                    if (!_blocks.TryGetValue(first, out block!))
                        _blocks.Add(first, block = new double[BlockSeconds]);
                }

                block[offset] += charged;
            }
        }

        public SortedList<long, double> PerSecond()
        {
            var seconds = new SortedList<long, double>(_blocks.Values.Sum(block => block.Count(charged => charged != 0)));
            foreach (var (first, block) in _blocks)
            {
                for (var i = 0; i < BlockSeconds; i++)
                {
                    if (block[i] != 0)
                        seconds.Add(first + i, block[i]);
                }
            }

            return seconds;
        }
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

    /// <summary>
    /// RU charged in each second from <see cref="FirstSecond"/> on. Seconds before the first charge and after the last may be left out.
    /// </summary>
    public IReadOnlyList<double> RequestUnitsPerSecond { get; init; } = [];
}
