using System.Globalization;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container's throughput: provisioned, or with autoscale a maximum.</summary>
internal sealed record Offer
{
    public const int Smallest = 400;
    public const int SmallestAutoscale = 1_000;
    public const int Largest = 10_000_000;

    private const int DefaultThroughput = 400;

    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    /// <summary>The offer that a creation's headers ask for; 400 RU/s when they ask for none.</summary>
    /// <param name="throughput">Header <c>x-ms-offer-throughput</c>.</param>
    /// <param name="autopilot">Header <c>x-ms-cosmos-offer-autopilot-settings</c>: <c>{"maxThroughput": n}</c>.</param>
    /// <exception cref="RequestException">400: not a number, out of range, not on a step, or both.</exception>
    public static Offer FromHeaders(string? throughput, string? autopilot)
    {
        if (throughput is not null && autopilot is not null)
            throw RequestException.BadRequest("Throughput and autoscale settings cannot both be given.");
        if (autopilot is not null)
        {
            try
            {
                using JsonDocument settings = JsonDocument.Parse(autopilot);
                return Create(settings.RootElement.GetProperty("maxThroughput").GetInt32(), autoscale: true);
            }
            catch (Exception e) when (e is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
            {
                throw RequestException.BadRequest("The autoscale settings are no object with a maxThroughput.");
            }
        }

        if (throughput is null)
            return Create(DefaultThroughput, autoscale: false);
        return int.TryParse(throughput, NumberStyles.None, CultureInfo.InvariantCulture, out int value)
            ? Create(value, autoscale: false)
            : throw RequestException.BadRequest($"The offer throughput '{throughput}' is no whole number.");
    }

    /// <summary>The offer that a replacement's content asks for.</summary>
    /// <exception cref="RequestException">400.</exception>
    public static Offer FromContent(JsonElement content)
    {
        if (content.ValueKind == JsonValueKind.Object)
        {
            if (content.TryGetProperty("offerAutopilotSettings", out JsonElement settings) && settings.ValueKind == JsonValueKind.Object
                && settings.TryGetProperty("maxThroughput", out JsonElement maximum) && maximum.TryGetInt32(out int max))
                return Create(max, autoscale: true);
            if (content.TryGetProperty("offerThroughput", out JsonElement throughput) && throughput.TryGetInt32(out int value))
                return Create(value, autoscale: false);
        }

        throw RequestException.BadRequest("The offer's content has neither an offerThroughput nor autoscale settings.");
    }

    public void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("content");
        writer.WriteNumber("offerThroughput", Throughput);
        writer.WriteBoolean("offerIsRUPerMinuteThroughputEnabled", false);
        if (Autoscale)
        {
            writer.WriteStartObject("offerAutopilotSettings");
            writer.WriteNumber("maxThroughput", Throughput);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    private static Offer Create(int throughput, bool autoscale)
    {
        int smallest = autoscale ? SmallestAutoscale : Smallest;
        int step = autoscale ? 1_000 : 100;
        if (throughput < smallest || throughput > Largest || throughput % step != 0)
            throw RequestException.BadRequest($"The offer should have valid throughput values between {smallest} and {Largest} inclusive in increments of {step}, not {throughput}.");
        return new Offer { Throughput = throughput, Autoscale = autoscale };
    }
}
