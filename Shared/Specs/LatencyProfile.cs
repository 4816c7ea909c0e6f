namespace ScaleOut.Specs;

/// <summary>
/// Latency that the simulated account adds. In JSON a profile's name, or an object with the first four numbers (each 0 to 10,000 ms) and
/// whatever else is not to have its default.
/// </summary>
/// <remarks>
/// A request takes the way (round trip, and in Gateway mode the gateway's hop) and a service time. The service time is
/// (median + <see cref="PerKilobyteMs"/> x KB beyond the first + <see cref="PerBatchOperationMs"/> x operations beyond the first)
/// x a random factor with median 1 x (1 + <see cref="LoadFactor"/> x utilization squared), and in the tail x <see cref="TailFactor"/>. The
/// random factor is log-normal, or has the shape of the quantiles where there are some. Where the median is 0 there is no service time, so
/// neither size, batch, load nor tail add to it. A request that is rejected, be it by a 429, takes the way alone.
/// </remarks>
[JsonConverter(typeof(LatencyProfileConverter))]
public sealed record LatencyProfile
{
    /// <summary>Longest of each time.</summary>
    public const double MaxMs = 10_000;

    /// <summary>Name of the profile of an account for which none is given.</summary>
    internal const string DefaultName = "same-region";

    private const int MaxQuantiles = 100;

    /// <summary>No added latency: everything is bound by CPU.</summary>
    public static readonly LatencyProfile None = new() { Name = "none" };

    /// <summary>Client and account in one region. It holds for an account for which none is given.</summary>
    public static readonly LatencyProfile SameRegion = new()
    {
        Name = DefaultName, RoundTripMs = 1.3, GatewayHopMs = 2, WriteMedianMs = 4, ReadMedianMs = 1.5,
    };

    /// <summary>Client on another continent.</summary>
    public static readonly LatencyProfile CrossRegion = SameRegion with { Name = "cross-region", RoundTripMs = 80 };

    /// <summary>All profiles that have a name.</summary>
    public static readonly IReadOnlyList<LatencyProfile> Named = [None, SameRegion, CrossRegion];

    /// <summary>Null for one that was given by its numbers.</summary>
    public string? Name { get; init; }

    [SpecField("Network round trip, in both modes.", Required = true, Min = 0, Max = MaxMs)]
    public double RoundTripMs { get; init; }

    [SpecField("The gateway's extra hop, in Gateway mode only.", Required = true, Min = 0, Max = MaxMs)]
    public double GatewayHopMs { get; init; }

    /// <summary>Of one document of up to 1 KB on a partition that is idle.</summary>
    [SpecField("Median service time of a write.", Required = true, Min = 0, Max = MaxMs)]
    public double WriteMedianMs { get; init; }

    /// <summary>Of up to 1 KB on a partition that is idle.</summary>
    [SpecField("Median service time of a read or a query page.", Required = true, Min = 0, Max = MaxMs)]
    public double ReadMedianMs { get; init; }

    /// <summary>
    /// Of the natural logarithm. The default is assumed: with it the 99th percentile of a 4 ms write is 9 ms, under the 10 ms that the
    /// service promises for documents of 1 KB. With 2 the 99th percentile is 100 times the median.
    /// </summary>
    [SpecField("Standard deviation of the service time's logarithm.", Min = 0, Max = 2)]
    public double LogStandardDeviation { get; init; } = 0.35;

    /// <summary>
    /// Of the documents that are written, or of what a read or a query page gives back. The default is assumed: 50 MB/s through one
    /// replica.
    /// </summary>
    [SpecField("Service time for each KB beyond the first.", Min = 0, Max = MaxMs)]
    public double PerKilobyteMs { get; init; } = 0.02;

    /// <summary>
    /// As far as the operation was not throttled. The default is assumed: a quarter of a write's median, because a batch is replicated once
    /// and each of its documents is stored and indexed. It is fitted to nothing: the published 96th percentile of batches of 100 rows,
    /// 283 ms, is held out.
    /// </summary>
    [SpecField("Service time for each further operation of a batch or bulk request.", Min = 0, Max = MaxMs)]
    public double PerBatchOperationMs { get; init; } = 1;

    /// <summary>
    /// With the square of the share in between. The default is assumed: with it the 99th percentile of a 4 ms write is 9.9 ms there, still
    /// what the service promises.
    /// </summary>
    [SpecField("By how much of itself the service time grows where a partition uses its whole budget.", Min = 0, Max = 100)]
    public double LoadFactor { get; init; } = 0.1;

    /// <summary>The default is assumed: no published figure separates a tail heavier than log-normal from the client's own.</summary>
    [SpecField("Share of requests in a heavier tail.", Min = 0, Max = 1)]
    public double TailShare { get; init; }

    /// <summary>The default is assumed; without a share it does nothing.</summary>
    [SpecField("Times the service time of a request in the tail.", Min = 1, Max = 1_000)]
    public double TailFactor { get; init; } = 5;

    /// <summary>
    /// Of one small document, by ascending probability. They stand for <see cref="WriteMedianMs"/> and <see cref="LogStandardDeviation"/>.
    /// </summary>
    [SpecField("Measured service times of writes, as [probability, ms].", Min = 0, Max = MaxMs, MinItems = 2, MaxItems = MaxQuantiles)]
    public IReadOnlyList<LatencyQuantile>? WriteQuantiles { get; init; }

    /// <summary>As <see cref="WriteQuantiles"/>, of reads and query pages.</summary>
    [SpecField("Measured service times of reads, as [probability, ms].", Min = 0, Max = MaxMs, MinItems = 2, MaxItems = MaxQuantiles)]
    public IReadOnlyList<LatencyQuantile>? ReadQuantiles { get; init; }

    /// <summary>The way without service time, ms.</summary>
    public double WayMs(ConnectionMode mode) => RoundTripMs + (mode == ConnectionMode.Gateway ? GatewayHopMs : 0);

    /// <summary>The measured quantiles that stand for median and spread; null if there are none.</summary>
    /// <param name="write">Of writes and batches; else of reads and query pages.</param>
    public IReadOnlyList<LatencyQuantile>? QuantilesOf(bool write) => write ? WriteQuantiles : ReadQuantiles;

    /// <summary>Median service time of one small document on a partition that is idle, ms.</summary>
    /// <param name="write">Whether it is a write; else a read or a query page.</param>
    public double SmallestMedianMs(bool write) =>
        QuantilesOf(write) is { } quantiles ? LatencyQuantile.At(quantiles, 0.5) : write ? WriteMedianMs : ReadMedianMs;

    /// <summary>Median service time on a partition that is idle, ms.</summary>
    /// <param name="write">Whether it is a write or a batch; else a read or a query page.</param>
    /// <param name="operations">Of a batch or bulk request, how many; else 1.</param>
    /// <param name="kilobytes">What is written or given back, all operations together.</param>
    public double MedianServiceMs(bool write, int operations = 1, double kilobytes = 1) =>
        MedianServiceMs(SmallestMedianMs(write), operations, kilobytes);

    /// <summary>As the other, from a <see cref="SmallestMedianMs"/> that is kept because it is asked for with every request.</summary>
    public double MedianServiceMs(double smallestMs, int operations, double kilobytes) => smallestMs > 0
        ? smallestMs + (PerKilobyteMs * Math.Max(0, kilobytes - 1)) + (PerBatchOperationMs * Math.Max(0, operations - 1))
        : 0;
}

/// <summary>
/// Writes a latency profile as its name, or as an object where it has none or differs from the profile of its name: four numbers, and
/// whatever else has not its default.
/// </summary>
internal sealed class LatencyProfileConverter : JsonConverter<LatencyProfile>
{
    private static readonly LatencyProfile Defaults = new();

    public override LatencyProfile Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            var name = reader.GetString();
            return LatencyProfile.Named.FirstOrDefault(profile => string.Equals(profile.Name, name, StringComparison.OrdinalIgnoreCase))
                ?? throw new JsonException($"there is no latency profile '{name}'");
        }

        using var document = JsonDocument.ParseValue(ref reader);
        if (document.RootElement.ValueKind != JsonValueKind.Object)
            throw new JsonException("a latency profile is a name or an object");
        var context = new ReadingContext();
        var profile = new SpecReading(context).Read<LatencyProfile>(document.RootElement, "latency");
        return context.Errors is [var error, ..] ? throw new JsonException(error.ToString()) : profile;
    }

    public override void Write(Utf8JsonWriter writer, LatencyProfile value, JsonSerializerOptions options)
    {
        if (LatencyProfile.Named.Contains(value))
        {
            writer.WriteStringValue(value.Name);
            return;
        }

        writer.WriteStartObject();
        foreach (var field in SpecField.From(typeof(LatencyProfile)))
        {
            var given = field.ValueIn(value);
            if (!field.IsRequired && Equals(given, field.ValueIn(Defaults)))
                continue;
            writer.WritePropertyName(field.Name);
            JsonSerializer.Serialize(writer, given, options);
        }

        writer.WriteEndObject();
    }
}

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
internal sealed class LatencyQuantileConverter : JsonConverter<LatencyQuantile>
{
    public override LatencyQuantile Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        JsonSerializer.Deserialize<double[]>(ref reader, options) is [var probability, var ms]
            ? new LatencyQuantile(probability, ms)
            : throw new JsonException("a quantile is an array of a probability and a time in ms");

    public override void Write(Utf8JsonWriter writer, LatencyQuantile value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        writer.WriteNumberValue(value.Probability);
        writer.WriteNumberValue(value.Ms);
        writer.WriteEndArray();
    }
}
