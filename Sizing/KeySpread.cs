namespace ScaleOut.Sizing;

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
    private readonly bool _hasLevels;

    /// <summary>The share of the documents that fills a physical partition; null if the container has not split for being full.</summary>
    private readonly double? _full;

    private KeySpread(KeyShares? writes, KeyShares? reads, bool hasLevels, double? full = null) =>
        (_writes, _reads, _hasLevels, _full) = (writes, reads, hasLevels, full);

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
    public BusyKey? Busiest => _writes?.BusiestOf(_full);

    /// <summary>The key with the most reads; null if hardly any two of them share a key.</summary>
    public BusyKey? MostRead => (_reads ?? _writes)?.BusiestOf(_full);

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
            writes, readSkew is { } exponent ? ReadsOf(FirstOf, exponent, Math.Max(1, existing), cancellationToken) : null,
            spec.Container.PartitionKeyPaths is { Count: > 1 })
        {
            Largest = spec.Container.PartitionKeyPaths is null
                ? writes?.BusiestOf(full: null)
                : WritesOf(number => string.Join(", ", ValuesOf(number)), cancellationToken)?.BusiestOf(full: null),
        };
    }

    /// <summary>Keys that hardly any two documents share.</summary>
    public static KeySpread Even { get; } = new(null, null, hasLevels: false);

    /// <summary>The spread of keys, of whose first level each begins with some text more.</summary>
    public KeySpread Beginning(string text) => new(_writes?.Beginning(text), _reads?.Beginning(text), _hasLevels) { Largest = Largest };

    /// <summary>
    /// The spread once so many gigabytes are stored. A container with a hierarchical key then has split where it was full: a value of the
    /// first level with more than 50 GB is on several partitions, by its next level.
    /// </summary>
    public KeySpread Storing(double gigabytes) => _hasLevels && gigabytes > CosmosLimits.MaxGigabytesPerPartition
        ? new KeySpread(_writes, _reads, _hasLevels, CosmosLimits.MaxGigabytesPerPartition / gigabytes) { Largest = Largest }
        : this;

    /// <summary>Physical partitions that so many gigabytes fill.</summary>
    public int PartitionsFor(double gigabytes) => Storing(gigabytes) is { _full: { } full, _writes: { } writes }
        ? writes.Pack(full).Partitions
        : StorageNeeds.PartitionsFor(gigabytes);

    /// <summary>The weight of each partition by the hashes of the keys; null if hardly any two documents share a key.</summary>
    public IReadOnlyList<double>? WeightsFor(int partitions) => _writes?.WeightsFor(partitions, _full is null ? null : _writes);

    /// <summary>The weight of each partition by the keys that are read; null if reads are spread as writes are.</summary>
    public IReadOnlyList<double>? ReadWeightsFor(int partitions) => _reads?.WeightsFor(partitions, _full is null ? null : _writes);

    /// <summary>Share of the RU that the busiest of so many partitions has.</summary>
    public double BusiestPartition(int partitions, UnitShares shares) => PartitionLoads(partitions, shares).Max();

    /// <summary>Share of the RU that each of so many partitions has.</summary>
    public IReadOnlyList<double> PartitionLoads(int partitions, UnitShares shares)
    {
        if (IsEven)
            return [.. Enumerable.Repeat(1.0 / partitions, partitions)];
        var (writes, reads) = (Shares(WeightsFor(partitions)), Shares(ReadWeightsFor(partitions) ?? WeightsFor(partitions)));
        return
        [
            .. Enumerable.Range(0, partitions).Select(one =>
                (shares.Even / partitions) + (shares.Writes * writes(one)) + (shares.Reads * reads(one))),
        ];

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

        return counts.Count > OwnKeys * SampledKeys && counts.Values.Max() <= FewOccurrences
            ? null
            : KeyShares.From(counts.Select(one => (one.Key, one.Value / (double)SampledKeys)), SampledKeys);
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

        return KeyShares.From(shares.Select(one => (one.Key, one.Value)), sample: null);
    }

    /// <summary>The shares of keys by their places among the hashes. What they lack to 1 is spread evenly.</summary>
    /// <param name="keys">By their places.</param>
    /// <param name="sample">Documents in which the shares were counted; null for exact ones.</param>
    private sealed class KeyShares((string Key, UInt128 Position, double Share)[] keys, int? sample)
    {
        /// <summary>Steps by which the fullest partition is found.</summary>
        private const int Halvings = 20;

        private readonly ConcurrentDictionary<(int Partitions, bool Full), double[]> _weights = new();

        public static KeyShares From(IEnumerable<(string Key, double Share)> keys, int? sample) => new(
            [
                .. keys.Select(one => (one.Key, EffectivePartitionKey.From(
                    PartitionKeyVersion.V2, PartitionKeyValue.From(Encoding.UTF8.GetBytes(one.Key))).Position, one.Share))
                    .OrderBy(one => one.Position),
            ],
            sample);

        public KeyShares Beginning(string text) => From(keys.Select(one => (text + one.Key, one.Share)), sample);

        /// <summary>The key with the most operations; of one on several partitions, those of one of them.</summary>
        public BusyKey BusiestOf(double? full)
        {
            double PartsOf(double share) => full is { } most ? Math.Max(1, Math.Ceiling(share / most)) : 1;
            var (key, _, share) = keys.MaxBy(one => one.Share / PartsOf(one.Share));
            var error = sample is { } documents ? 3 * Math.Sqrt(share * (1 - share) / documents) : 0;
            return new BusyKey(key, share / PartsOf(share), Math.Max(0, share - error) / PartsOf(share));
        }

        /// <summary>The partitions of each key if none has more than a share, as the first one and their number.</summary>
        public (Dictionary<string, (int First, int Count)> Places, int Partitions) Pack(double full)
        {
            var (places, partitions, left) = (new Dictionary<string, (int, int)>(), 0, 0.0);
            foreach (var (key, _, share) in keys)
            {
                var added = share <= left ? 0 : (int)Math.Ceiling(share / full);
                partitions += added;
                places[key] = (partitions - Math.Max(1, added), Math.Max(1, added));
                left = added switch { 0 => left - share, 1 => full - share, _ => 0 };
            }

            return (places, partitions);
        }

        /// <param name="stored">The documents by which the container has split; null for ranges of equal width.</param>
        public double[] WeightsFor(int partitions, KeyShares? stored) => _weights.GetOrAdd((partitions, stored is not null), _ =>
        {
            var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, partitions);
            var places = stored?.PackInto(partitions);
            var weights = new double[partitions];
            Array.Fill(weights, Math.Max(0, 1 - keys.Sum(key => key.Share)) / partitions);
            var partition = 0;
            foreach (var (key, position, share) in keys)
            {
                while (partition + 1 < partitions && position >= map.Start(partition + 1).Position)
                    partition++;
                var (first, count) = places is null ? (partition, 1) : places.GetValueOrDefault(key, (0, partitions));
                for (var part = first; part < first + count; part++)
                    weights[part] += share / count;
            }

            return weights;
        });

        /// <summary>The partitions of each key on so many of them, each as full as the fullest must be at least.</summary>
        private Dictionary<string, (int First, int Count)> PackInto(int partitions)
        {
            // A little more than all, so that rounding never needs one more.
            var least = Halving.Find(1.0 + 1e-9, 0, Halvings, full => Pack(full).Partitions <= partitions);
            return Pack(least).Places;
        }
    }
}
