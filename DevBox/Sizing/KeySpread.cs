using System.Collections.Concurrent;
using ScaleOut.PartitionKeys;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Sizing;

/// <summary>A partition key value with its share of the operations.</summary>
/// <param name="Value">The key's value.</param>
/// <param name="Share">Its share, as counted in a sample of documents.</param>
/// <param name="LeastShare">The share that it has at least, but for three standard errors of the sample.</param>
internal sealed record BusyKey(string Value, double Share, double LeastShare);

/// <summary>The keys of a run's documents, to see how operations spread over partitions and logical partitions.</summary>
internal sealed class KeySpread
{
    /// <summary>Count of documents whose keys are looked at.</summary>
    private const int SampledKeys = 200_000;

    /// <summary>If as many documents have keys of their own, no key can be busy enough to matter.</summary>
    private const int FirstKeys = 2_000;

    /// <summary>Share of different keys above which keys spread evenly, if none of them occurs often.</summary>
    private const double OwnKeys = 0.75;

    /// <summary>Occurrences in the sample up to which a key is like all others.</summary>
    private const int FewOccurrences = 20;

    private readonly KeyShares? _writes;
    private readonly KeyShares? _reads;

    private KeySpread(KeyShares? writes, KeyShares? reads) => (_writes, _reads) = (writes, reads);

    /// <summary>
    /// The key of the logical partition with the most documents, whose 20 GB hold for all levels of a hierarchical key together; null if
    /// hardly any two documents share it.
    /// </summary>
    public BusyKey? Largest { get; private init; }

    /// <summary>Whether hardly any two operations share a key.</summary>
    public bool IsEven => (_writes ?? _reads) is null;

    /// <summary>
    /// The key with the most writes; null if hardly any two documents share a key. Of a hierarchical key only the first level counts: all
    /// documents with one value are on one physical partition until it splits at 50 GB ("Hierarchical partition keys").
    /// </summary>
    public BusyKey? Busiest => _writes?.Busiest;

    /// <summary>The key with the most reads; null if hardly any two of them share a key.</summary>
    public BusyKey? MostRead => (_reads ?? _writes)?.Busiest;

    /// <summary>The keys of a spec's documents.</summary>
    /// <param name="readSkew">Exponent of the law of Zipf by which documents are read; null if reads are spread as writes are.</param>
    /// <param name="existing">Documents that are read.</param>
    public static KeySpread From(
        RunSpec spec, double? readSkew = null, long existing = 1, CancellationToken cancellationToken = default)
    {
        var documents = DocumentSources.For(spec, "sized");
        int? batch = spec.Workload.Kind == WorkloadKind.Batch ? spec.Workload.DocumentsPerOperation : null;
        // Rows keep their keys in batches, and the sample has rows of the whole file.
        var step = documents.RepeatsAfter is { } rows ? Math.Max(1, rows / (double)SampledKeys) : batch ?? 1;
        IReadOnlyList<string> ValuesOf(long number)
        {
            var sampled = (long)(number * step);
            return documents.KeyValuesOf(sampled, documents.KeyOf(sampled, batch));
        }

        string FirstOf(long number) => ValuesOf(number)[0];
        var writes = WritesOf(FirstOf, cancellationToken);
        return new(
            writes, readSkew is { } exponent ? ReadsOf(FirstOf, exponent, Math.Max(1, existing), cancellationToken) : null)
        {
            Largest = spec.Container.PartitionKeyPaths is null
                ? writes?.Busiest
                : WritesOf(number => string.Join(", ", ValuesOf(number)), cancellationToken)?.Busiest,
        };
    }

    /// <summary>The weight of each partition by the hashes of the keys; null if hardly any two documents share a key.</summary>
    public IReadOnlyList<double>? WeightsFor(int partitions) => _writes?.WeightsFor(partitions);

    /// <summary>The weight of each partition by the keys that are read; null if reads are spread as writes are.</summary>
    public IReadOnlyList<double>? ReadWeightsFor(int partitions) => _reads?.WeightsFor(partitions);

    /// <summary>Share of the RU that the busiest of so many partitions has.</summary>
    /// <param name="readShare">Share of the RU that reads use.</param>
    public double BusiestPartition(int partitions, double readShare)
    {
        if (IsEven)
            return 1.0 / partitions;
        var (writes, reads) = (Shares(WeightsFor(partitions)), Shares(ReadWeightsFor(partitions) ?? WeightsFor(partitions)));
        return Enumerable.Range(0, partitions).Max(one => ((1 - readShare) * writes(one)) + (readShare * reads(one)));

        Func<int, double> Shares(IReadOnlyList<double>? weights)
        {
            var sum = weights?.Sum() ?? partitions;
            return one => (weights?[one] ?? 1) / sum;
        }
    }

    private static KeyShares? WritesOf(Func<long, string> keyOf, CancellationToken cancellationToken)
    {
        var counts = new Dictionary<string, int>();
        for (var number = 0; number < SampledKeys; number++)
        {
            if (number % FirstKeys == 0)
                cancellationToken.ThrowIfCancellationRequested();
            var key = keyOf(number);
            counts[key] = counts.GetValueOrDefault(key) + 1;
            // Different keys spread evenly, because the partitions have equal ranges of the hash.
            if (number == FirstKeys && counts.Count > number)
                return null;
        }

        var most = counts.MaxBy(one => one.Value);
        if (counts.Count > OwnKeys * SampledKeys && most.Value <= FewOccurrences)
            return null;
        var share = most.Value / (double)SampledKeys;
        var least = share - (3 * Math.Sqrt(share * (1 - share) / SampledKeys));
        return new KeyShares(
            counts.Select(one => (one.Key, one.Value / (double)SampledKeys)), new BusyKey(most.Key, share, Math.Max(0, least)));
    }

    /// <summary>The documents that are read most, by their rank. The rest of the reads is spread evenly.</summary>
    private static KeyShares ReadsOf(Func<long, string> keyOf, double exponent, long documents, CancellationToken cancellationToken)
    {
        var ranked = (int)Math.Min(documents, SampledKeys);
        var chances = new double[ranked];
        for (var rank = 0; rank < ranked; rank++)
            chances[rank] = Math.Pow(rank + 1, -exponent);
        // The sum over further ranks is nearly the integral.
        var (from, to) = (ranked + 0.5, documents + 0.5);
        var beyond = documents == ranked ? 0
            : exponent == 1 ? Math.Log(to / from)
            : (Math.Pow(to, 1 - exponent) - Math.Pow(from, 1 - exponent)) / (1 - exponent);
        var sum = chances.Sum() + beyond;
        var shares = new Dictionary<string, double>();
        for (var rank = 0; rank < ranked; rank++)
        {
            if (rank % FirstKeys == 0)
                cancellationToken.ThrowIfCancellationRequested();
            var key = keyOf(rank);
            shares[key] = shares.GetValueOrDefault(key) + (chances[rank] / sum);
        }

        var most = shares.MaxBy(one => one.Value);
        return new KeyShares(shares.Select(one => (one.Key, one.Value)), new BusyKey(most.Key, most.Value, most.Value));
    }

    /// <summary>The shares of keys by their places among the hashes. What they lack to 1 is spread evenly.</summary>
    private sealed class KeyShares(IEnumerable<(string Key, double Share)> keys, BusyKey busiest)
    {
        private readonly (UInt128 Position, double Share)[] _keys =
        [
            .. keys.Select(one => (EffectivePartitionKey.From(
                PartitionKeyVersion.V2, PartitionKeyValue.From(Encoding.UTF8.GetBytes(one.Key))).Position, one.Share))
                .OrderBy(one => one.Position),
        ];
        private readonly ConcurrentDictionary<int, double[]> _weights = new();

        public BusyKey Busiest => busiest;

        public double[] WeightsFor(int partitions) => _weights.GetOrAdd(partitions, CountWeights);

        private double[] CountWeights(int partitions)
        {
            var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, partitions);
            var weights = new double[partitions];
            Array.Fill(weights, Math.Max(0, 1 - _keys.Sum(key => key.Share)) / partitions);
            var partition = 0;
            foreach (var (position, share) in _keys)
            {
                while (partition + 1 < partitions && position >= map.Start(partition + 1).Position)
                    partition++;
                weights[partition] += share;
            }

            return weights;
        }
    }
}
