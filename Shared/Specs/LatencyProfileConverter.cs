using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>
/// Writes a latency profile as its name, or as an object where it has none or differs from the profile of its name: four numbers, and
/// whatever else has not its default.
/// </summary>
public sealed class LatencyProfileConverter : JsonConverter<LatencyProfile>
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

        var fields = JsonSerializer.Deserialize<Fields>(ref reader, options)
            ?? throw new JsonException("a latency profile is a name or an object");
        return fields.ToProfile();
    }

    public override void Write(Utf8JsonWriter writer, LatencyProfile value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        if (LatencyProfile.Named.Contains(value))
            writer.WriteStringValue(value.Name);
        else
            JsonSerializer.Serialize(writer, Fields.From(value), options);
    }

    [JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
    private sealed record Fields
    {
        public required double RoundTripMs { get; init; }

        public required double GatewayHopMs { get; init; }

        public required double WriteMedianMs { get; init; }

        public required double ReadMedianMs { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? LogStandardDeviation { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? PerKilobyteMs { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? PerBatchOperationMs { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? LoadFactor { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? TailShare { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public double? TailFactor { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public IReadOnlyList<LatencyQuantile>? WriteQuantiles { get; init; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public IReadOnlyList<LatencyQuantile>? ReadQuantiles { get; init; }

        public static Fields From(LatencyProfile profile) => new()
        {
            RoundTripMs = profile.RoundTripMs,
            GatewayHopMs = profile.GatewayHopMs,
            WriteMedianMs = profile.WriteMedianMs,
            ReadMedianMs = profile.ReadMedianMs,
            LogStandardDeviation = Given(profile.LogStandardDeviation, Defaults.LogStandardDeviation),
            PerKilobyteMs = Given(profile.PerKilobyteMs, Defaults.PerKilobyteMs),
            PerBatchOperationMs = Given(profile.PerBatchOperationMs, Defaults.PerBatchOperationMs),
            LoadFactor = Given(profile.LoadFactor, Defaults.LoadFactor),
            TailShare = Given(profile.TailShare, Defaults.TailShare),
            TailFactor = Given(profile.TailFactor, Defaults.TailFactor),
            WriteQuantiles = profile.WriteQuantiles,
            ReadQuantiles = profile.ReadQuantiles,
        };

        public LatencyProfile ToProfile() => new()
        {
            RoundTripMs = RoundTripMs,
            GatewayHopMs = GatewayHopMs,
            WriteMedianMs = WriteMedianMs,
            ReadMedianMs = ReadMedianMs,
            LogStandardDeviation = LogStandardDeviation ?? Defaults.LogStandardDeviation,
            PerKilobyteMs = PerKilobyteMs ?? Defaults.PerKilobyteMs,
            PerBatchOperationMs = PerBatchOperationMs ?? Defaults.PerBatchOperationMs,
            LoadFactor = LoadFactor ?? Defaults.LoadFactor,
            TailShare = TailShare ?? Defaults.TailShare,
            TailFactor = TailFactor ?? Defaults.TailFactor,
            WriteQuantiles = WriteQuantiles,
            ReadQuantiles = ReadQuantiles,
        };

        private static double? Given(double value, double byDefault) => value == byDefault ? null : value;
    }
}
