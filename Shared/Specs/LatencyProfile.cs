namespace ScaleOut.Specs;

/// <summary>
/// Latency that the simulated account adds. In JSON it is a profile's name, or an object. The object must have the first four numbers (each
/// 0 to 10,000 ms); all other fields have defaults.
/// </summary>
/// <remarks>
/// The latency of a request is its network time (round trip, and in Gateway mode the gateway's hop) and a service time. The service time is
/// (median + <see cref="PerKilobyteMs"/> x KB beyond the first + <see cref="PerBatchOperationMs"/> x operations beyond the first)
/// x a random factor with median 1 x (1 + <see cref="LoadFactor"/> x utilization squared), and in the tail x <see cref="TailFactor"/>. The
/// random factor is log-normal, or has the distribution of the quantiles if there are some. If the median is 0, the service time is 0, so
/// size, batch, load and tail add nothing. A rejected request, such as one with a 429, has only its network time.
/// </remarks>
public sealed record LatencyProfile : INamedSpec<LatencyProfile>
{
    /// <summary>Maximum of each time, in ms.</summary>
    public const double MaxMs = 10_000;

    internal const string DefaultName = "same-region";

    private const int MaxQuantiles = 100;

    /// <summary>No added latency, so that CPU is the only limit.</summary>
    public static readonly LatencyProfile None = new() { Name = "none" };

    /// <summary>Client and account in one region. This is the default.</summary>
    public static readonly LatencyProfile SameRegion = new()
    {
        Name = DefaultName, RoundTripMs = 1.3, GatewayHopMs = 2, WriteMedianMs = 4, ReadMedianMs = 1.5,
    };

    /// <summary>Client on another continent.</summary>
    public static readonly LatencyProfile CrossRegion = SameRegion with { Name = "cross-region", RoundTripMs = 80 };

    /// <summary>
    /// <see cref="SameRegion"/> with the medians that a hosted account stated for small documents in a public recording of October 2026: a
    /// write 3.5 ms, a read 0.40, and 49.2 for a batch of 100 creates, 6.7 for 5 and 4.9 for 2.
    /// </summary>
    public static readonly LatencyProfile Recorded =
        SameRegion with { Name = "recorded", WriteMedianMs = 3.5, ReadMedianMs = 0.4, PerBatchOperationMs = 0.46 };

    public static IReadOnlyList<LatencyProfile> Named { get; } = [None, SameRegion, CrossRegion, Recorded];

    /// <summary>Null for a profile that was given by its numbers.</summary>
    public string? Name { get; init; }

    [SpecField("Network round trip, in both modes.", Required = true, Min = 0, Max = MaxMs)]
    public double RoundTripMs { get; init; }

    [SpecField("The gateway's extra hop, in Gateway mode only.", Required = true, Min = 0, Max = MaxMs)]
    public double GatewayHopMs { get; init; }

    /// <summary>For one document of up to 1 KB on an idle partition.</summary>
    [SpecField("Median service time of a write.", Required = true, Min = 0, Max = MaxMs)]
    public double WriteMedianMs { get; init; }

    /// <summary>For up to 1 KB on an idle partition.</summary>
    [SpecField("Median service time of a read or a query page.", Required = true, Min = 0, Max = MaxMs)]
    public double ReadMedianMs { get; init; }

    /// <summary>
    /// Uses the natural logarithm. The default is an assumption: it makes the 99th percentile of a 4 ms write 9 ms, less than the 10 ms
    /// that the service promises for documents of 1 KB. With 2, the 99th percentile is 100 times the median.
    /// </summary>
    [SpecField("Standard deviation of the service time's logarithm.", Min = 0, Max = 2)]
    public double LogStandardDeviation { get; init; } = 0.35;

    /// <summary>
    /// Counts the KB of the documents that are written, or that a read or a query page returns. The default is an assumption: 50 MB/s
    /// through one replica.
    /// </summary>
    [SpecField("Service time for each KB beyond the first.", Min = 0, Max = MaxMs)]
    public double PerKilobyteMs { get; init; } = 0.02;

    /// <summary>
    /// Counts only operations that were not throttled. The default is an assumption: a quarter of a write's median, because a batch is
    /// replicated once, but each of its documents is stored and indexed. It is not fitted to published figures. The published 96th
    /// percentile of batches of 100 rows, 283 ms, only serves as a check.
    /// </summary>
    [SpecField("Service time for each further operation of a batch or bulk request.", Min = 0, Max = MaxMs)]
    public double PerBatchOperationMs { get; init; } = 1;

    /// <summary>
    /// Below the full budget, the growth falls with the square of the used share. The default is an assumption: at the full budget it makes
    /// the 99th percentile of a 4 ms write 9.9 ms, still within what the service promises.
    /// </summary>
    [SpecField("By how much of itself the service time grows where a partition uses its whole budget.", Min = 0, Max = 100)]
    public double LoadFactor { get; init; } = 0.1;

    /// <summary>
    /// The default, 0, is an assumption: no published figure separates a tail of the service heavier than log-normal from the client's
    /// tail.
    /// </summary>
    [SpecField("Share of requests in a heavier tail.", Min = 0, Max = 1)]
    public double TailShare { get; init; }

    /// <summary>The default is an assumption. Has no effect if <see cref="TailShare"/> is 0.</summary>
    [SpecField("Times the service time of a request in the tail.", Min = 1, Max = 1_000)]
    public double TailFactor { get; init; } = 5;

    /// <summary>
    /// For one small document, by ascending probability. They replace <see cref="WriteMedianMs"/> and <see cref="LogStandardDeviation"/>.
    /// </summary>
    [SpecField("Measured service times of writes, as [probability, ms].", Min = 0, Max = MaxMs, MinItems = 2, MaxItems = MaxQuantiles)]
    public IReadOnlyList<LatencyQuantile>? WriteQuantiles { get; init; }

    /// <summary>As <see cref="WriteQuantiles"/>, for reads and query pages.</summary>
    [SpecField("Measured service times of reads, as [probability, ms].", Min = 0, Max = MaxMs, MinItems = 2, MaxItems = MaxQuantiles)]
    public IReadOnlyList<LatencyQuantile>? ReadQuantiles { get; init; }

    /// <summary>Network time of a request in ms, without service time.</summary>
    public double NetworkMs(ConnectionMode mode) => RoundTripMs + (mode == ConnectionMode.Gateway ? GatewayHopMs : 0);

    /// <summary>The measured quantiles that replace median and spread; null if there are none.</summary>
    /// <param name="write">True for writes and batches, false for reads and query pages.</param>
    public IReadOnlyList<LatencyQuantile>? QuantilesOf(bool write) => write ? WriteQuantiles : ReadQuantiles;

    /// <summary>Median service time of one small document on an idle partition, in ms.</summary>
    /// <param name="write">True for a write, false for a read or a query page.</param>
    public double SmallestMedianMs(bool write) =>
        QuantilesOf(write) is { } quantiles ? LatencyQuantile.At(quantiles, 0.5) : write ? WriteMedianMs : ReadMedianMs;

    /// <summary>Median service time on an idle partition, in ms.</summary>
    /// <param name="write">True for a write or a batch, false for a read or a query page.</param>
    /// <param name="operations">Number of operations of a batch or bulk request; 1 for other requests.</param>
    /// <param name="kilobytes">KB that all operations of the request write or return.</param>
    public double MedianServiceMs(bool write, int operations = 1, double kilobytes = 1) =>
        MedianServiceMs(SmallestMedianMs(write), operations, kilobytes);

    /// <summary>Median service time on an idle partition, in ms, from a cached <see cref="SmallestMedianMs"/>.</summary>
    public double MedianServiceMs(double smallestMs, int operations, double kilobytes) => smallestMs > 0
        ? smallestMs + (PerKilobyteMs * Math.Max(0, kilobytes - 1)) + (PerBatchOperationMs * Math.Max(0, operations - 1))
        : 0;
}

/// <summary>
/// Writes a latency profile as its name, or as an object if it has no name or differs from the profile of that name. The object has the
/// four required numbers, and the other fields that differ from their defaults.
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
    /// The latency at a probability. Between two points, the logarithm of the time is linear in the logit of the probability, which makes a
    /// smooth tail. Below the first and above the last point it is constant, because nothing was measured there.
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
