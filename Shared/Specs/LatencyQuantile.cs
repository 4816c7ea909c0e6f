using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>A measured quantile of a latency; in JSON <c>[probability, ms]</c>.</summary>
/// <param name="Probability">Above 0, below 1.</param>
/// <param name="Ms">Above 0, up to 10,000.</param>
[JsonConverter(typeof(LatencyQuantileConverter))]
public readonly record struct LatencyQuantile(double Probability, double Ms)
{
    /// <summary>
    /// The latency at a probability. Between two points the logarithm of the time is linear in the logit of the probability, which keeps
    /// the tail between them smooth; before the first and behind the last point it is that point's, because nothing was measured there.
    /// </summary>
    /// <param name="quantiles">By ascending probability, at least one.</param>
    /// <param name="probability">0 to 1.</param>
    public static double At(IReadOnlyList<LatencyQuantile> quantiles, double probability)
    {
        ArgumentNullException.ThrowIfNull(quantiles);
        var above = 0;
        while (above < quantiles.Count && quantiles[above].Probability < probability)
            above++;
        if (above == 0 || above == quantiles.Count)
            return quantiles[Math.Min(above, quantiles.Count - 1)].Ms;
        var (low, high) = (quantiles[above - 1], quantiles[above]);
        var share = (Logit(probability) - Logit(low.Probability)) / (Logit(high.Probability) - Logit(low.Probability));
        return low.Ms * Math.Pow(high.Ms / low.Ms, share);
    }

    private static double Logit(double probability) => Math.Log(probability / (1 - probability));
}

/// <summary>Writes a quantile as an array of two numbers.</summary>
public sealed class LatencyQuantileConverter : JsonConverter<LatencyQuantile>
{
    public override LatencyQuantile Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        JsonSerializer.Deserialize<double[]>(ref reader, options) is [var probability, var ms]
            ? new LatencyQuantile(probability, ms)
            : throw new JsonException("a quantile is an array of a probability and a time in ms");

    public override void Write(Utf8JsonWriter writer, LatencyQuantile value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartArray();
        writer.WriteNumberValue(value.Probability);
        writer.WriteNumberValue(value.Ms);
        writer.WriteEndArray();
    }
}
