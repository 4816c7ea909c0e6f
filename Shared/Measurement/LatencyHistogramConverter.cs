using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Measurement;

/// <summary>
/// Writes a histogram as <c>{ sumUs, maxUs, bits, buckets: [bucket, count, bucket, count, ...] }</c> with its empty buckets left out;
/// <c>bits</c> stands only in a coarse one.
/// </summary>
public sealed class LatencyHistogramConverter : JsonConverter<LatencyHistogram>
{
    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, LatencyHistogram value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteNumber("sumUs", value.SumMicroseconds);
        writer.WriteNumber("maxUs", value.MaxRecordedMicroseconds);
        if (value.Bits != LatencyHistogram.FineBits)
            writer.WriteNumber("bits", value.Bits);
        writer.WriteStartArray("buckets");
        for (var bucket = 0; bucket < value.Counts.Length; bucket++)
        {
            if (value.Counts[bucket] is 0)
                continue;
            writer.WriteNumberValue(bucket);
            writer.WriteNumberValue(value.Counts[bucket]);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
