namespace ScaleOut.Measurement;

/// <summary>
/// Counts latencies in log-linear buckets. A fine histogram has 64 buckets to each power of two, so a percentile is off by at most 1/128
/// (0.8%). A coarse one has 8, off by at most 1/16, and is small enough to keep one for each second. Histograms are merged by adding their
/// counts, so percentiles of several workers are those of one histogram of all values. Recording is thread-safe. Read a histogram only
/// when nothing writes to it any more.
/// </summary>
[JsonConverter(typeof(LatencyHistogramConverter))]
public sealed class LatencyHistogram
{
    /// <summary>Largest latency that can be recorded: one hour. Longer ones count as one hour.</summary>
    public const long MaxMicroseconds = 3_600_000_000;

    /// <summary>Logarithm (base 2) of the number of buckets to each power of two.</summary>
    internal const int FineBits = 6;
    internal const int CoarseBits = 3;

    private readonly long[] _counts;
    private long _sumMicroseconds;
    private long _maxMicroseconds;

    public LatencyHistogram()
        : this(FineBits)
    {
    }

    private LatencyHistogram(int bits)
    {
        Bits = bits;
        _counts = new long[BucketOf(MaxMicroseconds, bits) + 1];
    }

    public static LatencyHistogram Coarse() => new(CoarseBits);

    internal int Bits { get; }

    internal ReadOnlySpan<long> Counts => _counts;

    public long Count => _counts.Sum();

    /// <summary>The buckets that are not empty, ascending.</summary>
    internal IEnumerable<(int Bucket, long Count)> Filled
    {
        get
        {
            for (var bucket = 0; bucket < _counts.Length; bucket++)
            {
                if (_counts[bucket] != 0)
                    yield return (bucket, _counts[bucket]);
            }
        }
    }

    /// <summary>Sum of all values in microseconds, exact.</summary>
    public long SumMicroseconds => Interlocked.Read(ref _sumMicroseconds);

    /// <summary>Largest value in microseconds, exact; 0 when nothing was recorded.</summary>
    public long MaxRecordedMicroseconds => Interlocked.Read(ref _maxMicroseconds);

    /// <summary>Mean in milliseconds, exact; null when nothing was recorded.</summary>
    public double? MeanMs => Count is > 0 and var count ? SumMicroseconds / 1000.0 / count : null;

    /// <summary>Counts one latency. Values under 1 µs count as 1 µs, values over an hour as an hour.</summary>
    public void Record(TimeSpan latency)
    {
        var microseconds = Math.Clamp(latency.Ticks / TimeSpan.TicksPerMicrosecond, 1, MaxMicroseconds);
        Interlocked.Increment(ref _counts[BucketOf(microseconds, Bits)]);
        Interlocked.Add(ref _sumMicroseconds, microseconds);
        RaiseMax(microseconds);
    }

    /// <summary>Adds all counts of another histogram to this one.</summary>
    /// <exception cref="ArgumentException">One of the two is coarse, the other is not.</exception>
    public void Add(LatencyHistogram other)
    {
        if (other.Bits != Bits)
            throw new ArgumentException("A coarse histogram and a fine one have no buckets in common.", nameof(other));
        for (var bucket = 0; bucket < _counts.Length; bucket++)
        {
            if (other._counts[bucket] != 0)
                Interlocked.Add(ref _counts[bucket], other._counts[bucket]);
        }

        Interlocked.Add(ref _sumMicroseconds, other.SumMicroseconds);
        RaiseMax(other.MaxRecordedMicroseconds);
    }

    /// <summary>
    /// The latency in milliseconds that the given percentage of values does not exceed (nearest rank, the bucket's middle, never above the
    /// largest value); null when nothing was recorded.
    /// </summary>
    /// <param name="percent">0 to 100.</param>
    public double? PercentileMs(double percent)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(percent, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        var count = Count;
        if (count == 0)
            return null;

        var rank = Math.Max(1, (long)Math.Ceiling(percent / 100 * count));
        long seen = 0;
        for (var bucket = 0; bucket < _counts.Length; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= rank)
                return Math.Min(MiddleOf(bucket, Bits), MaxRecordedMicroseconds) / 1000.0;
        }

        return MaxRecordedMicroseconds / 1000.0;
    }

    /// <summary>The counts by bucket, ascending. Empty buckets are left out.</summary>
    public IReadOnlyList<LatencyBucket> Buckets() =>
        [.. Filled.Select(bucket => new LatencyBucket(EndOf(bucket.Bucket, Bits) / 1000.0, bucket.Count))];

    /// <summary>The same counts in a coarse histogram.</summary>
    public LatencyHistogram ToCoarse() => new LatencyIntervals(() => this).Next();

    /// <summary>Adds the count of a fine histogram's bucket to this coarse histogram.</summary>
    internal void AddFine(int bucket, long count) => _counts[BucketOf(Math.Max(1, PlaceOf(bucket, FineBits).First), CoarseBits)] += count;

    /// <summary>Adds the parts of a histogram with the same <see cref="Bits"/>.</summary>
    internal void Add(IEnumerable<(int Bucket, long Count)> buckets, long sumMicroseconds, long maxMicroseconds)
    {
        foreach (var (bucket, count) in buckets)
            Interlocked.Add(ref _counts[bucket], count);
        Interlocked.Add(ref _sumMicroseconds, sumMicroseconds);
        RaiseMax(maxMicroseconds);
    }

    /// <exception cref="ArgumentOutOfRangeException">A bucket does not exist or a count is negative.</exception>
    internal static LatencyHistogram FromParts(
        IEnumerable<(int Bucket, long Count)> buckets, long sumMicroseconds, long maxMicroseconds, int bits = FineBits)
    {
        if (bits is not (FineBits or CoarseBits))
            throw new ArgumentOutOfRangeException(nameof(bits), bits, "A histogram is fine or coarse.");
        var histogram = new LatencyHistogram(bits) { _sumMicroseconds = sumMicroseconds, _maxMicroseconds = maxMicroseconds };
        foreach (var (bucket, count) in buckets)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(bucket);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(bucket, histogram._counts.Length);
            ArgumentOutOfRangeException.ThrowIfNegative(count);
            histogram._counts[bucket] += count;
        }

        return histogram;
    }

    /// <summary>Where the bucket of a coarse histogram begins that ends at a latency, both in ms.</summary>
    public static double CoarseStartMs(double endMs) =>
        PlaceOf(BucketOf(Math.Max(1, (long)Math.Round(1_000 * endMs) - 1), CoarseBits), CoarseBits).First / 1_000.0;

    /// <summary>The exclusive upper end of a bucket, in microseconds.</summary>
    internal static long EndOf(int bucket, int bits = FineBits)
    {
        var (first, width) = PlaceOf(bucket, bits);
        return first + width;
    }

    private static int BucketOf(long microseconds, int bits)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)microseconds) - bits);
        return (shift << bits) + (int)(microseconds >> shift);
    }

    private static double MiddleOf(int bucket, int bits)
    {
        var (first, width) = PlaceOf(bucket, bits);
        return first + ((width - 1) / 2.0);
    }

    /// <summary>The first microsecond of a bucket, and its width in microseconds.</summary>
    private static (long First, long Width) PlaceOf(int bucket, int bits)
    {
        var shift = Math.Max(0, (bucket >> bits) - 1);
        return ((long)(bucket - (shift << bits)) << shift, 1L << shift);
    }

    private void RaiseMax(long microseconds)
    {
        var seen = Interlocked.Read(ref _maxMicroseconds);
        while (microseconds > seen)
        {
            var was = Interlocked.CompareExchange(ref _maxMicroseconds, microseconds, seen);
            if (was == seen)
                return;
            seen = was;
        }
    }
}

/// <param name="UpperBoundMs">All latencies of the bucket are below this. The next smaller bound is at most 12.5% lower.</param>
public readonly record struct LatencyBucket(double UpperBoundMs, long Count);

/// <summary>
/// Writes a histogram as <c>{ sumUs, maxUs, bits, buckets: [bucket, count, bucket, count, ...] }</c> with its empty buckets left out;
/// <c>bits</c> is written only for a coarse histogram.
/// </summary>
internal sealed class LatencyHistogramConverter : JsonConverter<LatencyHistogram>
{
    public override LatencyHistogram Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        var root = document.RootElement;
        try
        {
            var flat = root.GetProperty("buckets").EnumerateArray().Select(e => e.GetInt64()).ToArray();
            var buckets = flat.Chunk(2).Select(pair => ((int)pair[0], pair[1]));
            var bits = root.TryGetProperty("bits", out var given) ? given.GetInt32() : LatencyHistogram.FineBits;
            return LatencyHistogram.FromParts(buckets, root.GetProperty("sumUs").GetInt64(), root.GetProperty("maxUs").GetInt64(), bits);
        }
        catch (Exception e) when (
            e is KeyNotFoundException or InvalidOperationException or FormatException or ArgumentException or IndexOutOfRangeException)
        {
            throw new JsonException("This is not a latency histogram.", e);
        }
    }

    public override void Write(Utf8JsonWriter writer, LatencyHistogram value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteNumber("sumUs", value.SumMicroseconds);
        writer.WriteNumber("maxUs", value.MaxRecordedMicroseconds);
        if (value.Bits != LatencyHistogram.FineBits)
            writer.WriteNumber("bits", value.Bits);
        writer.WriteStartArray("buckets");
        foreach (var (bucket, count) in value.Filled)
        {
            writer.WriteNumberValue(bucket);
            writer.WriteNumberValue(count);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}

/// <summary>
/// A read-only histogram without its empty buckets. It takes some hundred bytes instead of 15 KB (fine) or 2 KB (coarse).
/// </summary>
[JsonConverter(typeof(PackedHistogramConverter))]
public sealed class PackedHistogram
{
    private readonly (ushort Bucket, int Count)[] _buckets;
    private readonly long _sumMicroseconds;
    private readonly long _maxMicroseconds;
    private readonly int _bits;

    private PackedHistogram((ushort Bucket, int Count)[] buckets, LatencyHistogram histogram)
    {
        _buckets = buckets;
        (_sumMicroseconds, _maxMicroseconds, _bits) = (histogram.SumMicroseconds, histogram.MaxRecordedMicroseconds, histogram.Bits);
    }

    /// <exception cref="OverflowException">A bucket counts more than 2,147,483,647. Pack histograms of seconds, not of runs.</exception>
    public static PackedHistogram From(LatencyHistogram histogram) =>
        new([.. histogram.Filled.Select(entry => ((ushort)entry.Bucket, checked((int)entry.Count)))], histogram);

    /// <summary>Creates the full histogram again.</summary>
    public LatencyHistogram Unpack() => LatencyHistogram.FromParts(
        _buckets.Select(entry => ((int)entry.Bucket, (long)entry.Count)), _sumMicroseconds, _maxMicroseconds, _bits);

    /// <exception cref="ArgumentException">One of the two is coarse, the other is not.</exception>
    public void AddTo(LatencyHistogram histogram)
    {
        if (histogram.Bits != _bits)
            throw new ArgumentException("A coarse histogram and a fine one have no buckets in common.", nameof(histogram));
        histogram.Add(_buckets.Select(entry => ((int)entry.Bucket, (long)entry.Count)), _sumMicroseconds, _maxMicroseconds);
    }
}

/// <summary>Writes the same JSON as <see cref="LatencyHistogramConverter"/>.</summary>
internal sealed class PackedHistogramConverter : JsonConverter<PackedHistogram>
{
    private static readonly LatencyHistogramConverter Whole = new();

    public override PackedHistogram Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        try
        {
            return PackedHistogram.From(Whole.Read(ref reader, typeof(LatencyHistogram), options));
        }
        catch (OverflowException e)
        {
            throw new JsonException("This is not the latency histogram of a second.", e);
        }
    }

    public override void Write(Utf8JsonWriter writer, PackedHistogram value, JsonSerializerOptions options) =>
        Whole.Write(writer, value.Unpack(), options);
}
