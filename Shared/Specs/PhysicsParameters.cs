namespace ScaleOut.Specs;

/// <summary>
/// A figure of the simulated account that is assumed: no document or measurement gives it, so what rests on it should hold over its range.
/// </summary>
/// <param name="Name">Its field, below <c>simulation</c>.</param>
/// <param name="Default">What <see cref="LatencyProfile.SameRegion"/> and <see cref="ThrottlingSpec"/> have.</param>
/// <param name="Low">Smallest value that is plausible of a real account.</param>
/// <param name="High">Largest value that is plausible of a real account.</param>
/// <param name="Source">Why that range.</param>
/// <param name="Apply">A simulation with another value.</param>
public sealed record PhysicsParameter(
    string Name, double Default, double Low, double High, string Source, Func<SimulationSpec, double, SimulationSpec> Apply);

/// <summary>The assumed figures of latency and throttling.</summary>
public static class PhysicsParameters
{
    private static readonly LatencyProfile SameRegion = LatencyProfile.SameRegion;
    private static readonly ThrottlingSpec Throttled = new();

    /// <summary>All of them, each independent of the others.</summary>
    public static IReadOnlyList<PhysicsParameter> All { get; } =
    [
        OfLatency("roundTripMs", SameRegion.RoundTripMs, 0.3, 5, "one zone to zones far apart",
            (one, value) => one with { RoundTripMs = value }),
        OfLatency("gatewayHopMs", SameRegion.GatewayHopMs, 0.2, 6, "half a round trip to several",
            (one, value) => one with { GatewayHopMs = value }),
        OfLatency("writeMedianMs", SameRegion.WriteMedianMs, 2, 6, "under the 10 ms promised at p99",
            (one, value) => one with { WriteMedianMs = value }),
        OfLatency("readMedianMs", SameRegion.ReadMedianMs, 0.5, 4, "under the 10 ms promised at p99",
            (one, value) => one with { ReadMedianMs = value }),
        OfLatency("logStandardDeviation", SameRegion.LogStandardDeviation, 0.15, 0.6, "p99 from 1.4 to 4 times the median",
            (one, value) => one with { LogStandardDeviation = value }),
        OfLatency("perKilobyteMs", SameRegion.PerKilobyteMs, 0, 0.1, "10 MB/s and more",
            (one, value) => one with { PerKilobyteMs = value }),
        OfLatency("perBatchOperationMs", SameRegion.PerBatchOperationMs, 0.1, 3, "nearly free to nearly a write each",
            (one, value) => one with { PerBatchOperationMs = value }),
        OfLatency("loadFactor", SameRegion.LoadFactor, 0, 1, "none to twice as long at full load",
            (one, value) => one with { LoadFactor = value }),
        OfLatency("tailShare", SameRegion.TailShare, 0, 0.02, "none to one in fifty", (one, value) => one with { TailShare = value }),
        OfLatency("tailFactor", SameRegion.TailFactor, 2, 20, "a retry within the service to a change of the primary replica",
            (one, value) => one with { TailFactor = value }),
        new("throttling.retryAfterMaxMs", Throttled.RetryAfterMaxMs, 100, 2_000, "the documentation's 100 ms to two budgets",
            (one, value) => one with { Throttling = (one.Throttling ?? Throttled) with { RetryAfterMaxMs = (int)Math.Round(value) } }),
        new("throttling.retryAfterSpread", Throttled.RetryAfterSpread, 0, 1, "all its bounds allow",
            (one, value) => one with { Throttling = (one.Throttling ?? Throttled) with { RetryAfterSpread = value } }),
    ];

    private static PhysicsParameter OfLatency(
        string name, double byDefault, double low, double high, string source, Func<LatencyProfile, double, LatencyProfile> apply) =>
        new($"latency.{name}", byDefault, low, high, source,
            (simulation, value) => simulation with { Latency = apply((simulation.Latency ?? SameRegion) with { Name = null }, value) });
}
