using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>Latency that the simulated account adds. In JSON a profile's name, or an object with these four numbers (each 0 to 10,000 ms).</summary>
[JsonConverter(typeof(LatencyProfileConverter))]
public sealed record LatencyProfile
{
    /// <summary>No added latency: everything is bound by CPU.</summary>
    public static readonly LatencyProfile None = new() { Name = "none" };

    /// <summary>Client and account in one region: 1.3 ms round trip, 2 ms gateway hop, writes around 4 ms, reads 1.5 ms.</summary>
    public static readonly LatencyProfile SameRegion = new() { Name = "same-region", RoundTripMs = 1.3, GatewayHopMs = 2, WriteMedianMs = 4, ReadMedianMs = 1.5 };

    /// <summary>Client on another continent: 80 ms round trip, the rest as <see cref="SameRegion"/>.</summary>
    public static readonly LatencyProfile CrossRegion = SameRegion with { Name = "cross-region", RoundTripMs = 80 };

    /// <summary>All profiles that have a name.</summary>
    public static readonly IReadOnlyList<LatencyProfile> Named = [None, SameRegion, CrossRegion];

    /// <summary>Null for one that was given by its numbers.</summary>
    public string? Name { get; init; }

    /// <summary>Network round trip between client and account, in both modes.</summary>
    public double RoundTripMs { get; init; }

    /// <summary>The gateway's extra hop, in Gateway mode only.</summary>
    public double GatewayHopMs { get; init; }

    /// <summary>Median service time of a write; log-normal.</summary>
    public double WriteMedianMs { get; init; }

    /// <summary>Median service time of a read or a query page; log-normal.</summary>
    public double ReadMedianMs { get; init; }
}
