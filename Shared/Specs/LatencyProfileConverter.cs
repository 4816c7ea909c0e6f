using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>
/// Writes a latency profile as its name, or as an object of four numbers where it has none or differs from the profile of its name.
/// </summary>
public sealed class LatencyProfileConverter : JsonConverter<LatencyProfile>
{
    public override LatencyProfile Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            var name = reader.GetString();
            return LatencyProfile.Named.FirstOrDefault(profile => string.Equals(profile.Name, name, StringComparison.OrdinalIgnoreCase))
                ?? throw new JsonException($"there is no latency profile '{name}'");
        }

        var numbers = JsonSerializer.Deserialize<Numbers>(ref reader, options)
            ?? throw new JsonException("a latency profile is a name or an object");
        return new LatencyProfile
        {
            RoundTripMs = numbers.RoundTripMs,
            GatewayHopMs = numbers.GatewayHopMs,
            WriteMedianMs = numbers.WriteMedianMs,
            ReadMedianMs = numbers.ReadMedianMs,
        };
    }

    public override void Write(Utf8JsonWriter writer, LatencyProfile value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        if (LatencyProfile.Named.Contains(value))
            writer.WriteStringValue(value.Name);
        else
            JsonSerializer.Serialize(
                writer, new Numbers(value.RoundTripMs, value.GatewayHopMs, value.WriteMedianMs, value.ReadMedianMs), options);
    }

    [JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
    private sealed record Numbers(
        [property: JsonRequired] double RoundTripMs,
        [property: JsonRequired] double GatewayHopMs,
        [property: JsonRequired] double WriteMedianMs,
        [property: JsonRequired] double ReadMedianMs);
}
