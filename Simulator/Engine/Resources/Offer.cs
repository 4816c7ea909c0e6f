using System.Globalization;
using System.Text;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container's throughput: provisioned, or with autoscale a maximum.</summary>
internal sealed record Offer
{
    private const int SmallestAutoscale = 1_000;

    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    /// <summary>Least throughput that it may be changed to.</summary>
    public int Smallest => Autoscale ? SmallestAutoscale : ContainerSpec.LeastThroughput;

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
            return RequestException.ReadJson(
                Encoding.UTF8.GetBytes(autopilot), "The autoscale settings are no object with a maxThroughput.",
                settings => Create(settings.GetProperty("maxThroughput").GetInt32(), autoscale: true));
        }

        if (throughput is null)
            return Create(ContainerSpec.LeastThroughput, autoscale: false);
        return int.TryParse(throughput, NumberStyles.None, CultureInfo.InvariantCulture, out int value)
            ? Create(value, autoscale: false)
            : throw RequestException.BadRequest($"The offer throughput '{throughput}' is no whole number.");
    }

    /// <summary>The offer that a replacement asks for.</summary>
    /// <exception cref="RequestException">400.</exception>
    public static Offer Parse(ReadOnlyMemory<byte> json) =>
        RequestException.ReadJson(json, "The request payload is no offer with a content.",
            root => FromContent(root.GetProperty("content")));

    private static Offer FromContent(JsonElement content)
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

    private static Offer Create(int throughput, bool autoscale)
    {
        var offer = new Offer { Throughput = throughput, Autoscale = autoscale };
        int step = autoscale ? 1_000 : 100;
        if (throughput < offer.Smallest || throughput > ContainerSpec.MostThroughput || throughput % step != 0)
        {
            throw RequestException.BadRequest(
                $"The offer should have valid throughput values between {offer.Smallest} and {ContainerSpec.MostThroughput} inclusive "
                + $"in increments of {step}, not {throughput}.");
        }

        return offer;
    }
}
