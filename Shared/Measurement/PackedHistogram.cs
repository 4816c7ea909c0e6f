using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Measurement;

/// <summary>
/// A histogram that is no longer written to, without its empty buckets: some hundred bytes instead of 15 KB, or of 2 KB for a coarse one.
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

    /// <summary>Packs a histogram.</summary>
    /// <exception cref="OverflowException">A bucket counts more than 2,147,483,647: it is for seconds, not for runs.</exception>
    public static PackedHistogram From(LatencyHistogram histogram)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        List<(ushort Bucket, int Count)> buckets = [];
        for (var bucket = 0; bucket < histogram.Counts.Length; bucket++)
        {
            if (histogram.Counts[bucket] != 0)
                buckets.Add(((ushort)bucket, checked((int)histogram.Counts[bucket])));
        }

        return new PackedHistogram([.. buckets], histogram);
    }

    /// <summary>The histogram again.</summary>
    public LatencyHistogram Unpack() => LatencyHistogram.FromParts(
        _buckets.Select(entry => ((int)entry.Bucket, (long)entry.Count)), _sumMicroseconds, _maxMicroseconds, _bits);

    /// <summary>Adds all counts to a histogram.</summary>
    /// <exception cref="ArgumentException">One of the two is coarse, the other is not.</exception>
    public void AddTo(LatencyHistogram histogram)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        histogram.Add(Unpack());
    }
}

/// <summary>Writes what <see cref="LatencyHistogramConverter"/> writes.</summary>
public sealed class PackedHistogramConverter : JsonConverter<PackedHistogram>
{
    private static readonly LatencyHistogramConverter Whole = new();

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, PackedHistogram value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        Whole.Write(writer, value.Unpack(), options);
    }
}
