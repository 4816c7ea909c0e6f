using ScaleOut.Charges;

namespace ScaleOut.Specs;

/// <summary>
/// A figure of the simulated account that is assumed: no document or measurement gives it, so what rests on it should hold over its range.
/// </summary>
/// <param name="Name">Its field, below <c>simulation</c>.</param>
/// <param name="Default">What <see cref="LatencyProfile.SameRegion"/>, <see cref="ThrottlingSpec"/> and the documented charges have; 1 of a
/// factor.</param>
/// <param name="Low">Smallest value that is plausible of a real account.</param>
/// <param name="High">Largest value that is plausible of a real account.</param>
/// <param name="Source">Why that range.</param>
/// <param name="ValueOf">The value that a run has.</param>
/// <param name="Apply">A simulation with another value, which is not a factor.</param>
public sealed record PhysicsParameter(
    string Name, double Default, double Low, double High, string Source, Func<RunSpec, double> ValueOf,
    Func<SimulationSpec, double, SimulationSpec> Apply)
{
    /// <summary>From this ratio of its ends a range is walked in equal factors, not in equal steps.</summary>
    private const double WideRange = 10;

    /// <summary>Whether <see cref="Low"/> and <see cref="High"/> multiply the value that a run has anyway.</summary>
    public bool IsFactor { get; init; }

    /// <summary>Largest value that a spec may have.</summary>
    public double Most { get; init; } = double.MaxValue;

    /// <summary>Whether equal factors are equally far apart in the range: it starts above 0 and ends at tenfold or more.</summary>
    public bool IsLogarithmic => Low > 0 && High >= Low * WideRange;

    /// <summary>The value at a share of the range, 0 at its low end and 1 at its high one.</summary>
    public double At(double share) => IsLogarithmic ? Low * Math.Pow(High / Low, share) : Low + ((High - Low) * share);

    /// <summary>The value in the middle between two others: the geometric mean where the range is logarithmic.</summary>
    public double Between(double one, double other) => IsLogarithmic ? Math.Sqrt(one * other) : (one + other) / 2;
}

/// <summary>The assumed figures of latency, throttling, charges and layout.</summary>
public static class PhysicsParameters
{
    /// <summary>Least factor of the physical partitions: where the service gives one for 6,000 RU/s, each then has the 10,000 it can
    /// serve.</summary>
    private const double FewestPartitions = 0.6;

    private static readonly LatencyProfile SameRegion = LatencyProfile.SameRegion;
    private static readonly ThrottlingSpec Throttled = new();

    /// <summary>All of them, each independent of the others.</summary>
    public static IReadOnlyList<PhysicsParameter> All { get; } =
    [
        OfLatency("roundTripMs", one => one.RoundTripMs, 0.3, 5, "one zone to zones far apart",
            (one, value) => one with { RoundTripMs = value }),
        OfLatency("gatewayHopMs", one => one.GatewayHopMs, 0.2, 6, "half a round trip to several",
            (one, value) => one with { GatewayHopMs = value }),
        OfLatency("writeMedianMs", one => one.WriteMedianMs, 2, 6, "under the 10 ms promised at p99",
            (one, value) => one with { WriteMedianMs = value }),
        OfLatency("readMedianMs", one => one.ReadMedianMs, 0.5, 4, "under the 10 ms promised at p99",
            (one, value) => one with { ReadMedianMs = value }),
        OfLatency("logStandardDeviation", one => one.LogStandardDeviation, 0.15, 0.6, "p99 from 1.4 to 4 times the median",
            (one, value) => one with { LogStandardDeviation = value }, LatencyProfile.MostLogStandardDeviation),
        OfLatency("perKilobyteMs", one => one.PerKilobyteMs, 0, 0.1, "10 MB/s and more",
            (one, value) => one with { PerKilobyteMs = value }),
        OfLatency("perBatchOperationMs", one => one.PerBatchOperationMs, 0.1, 3, "nearly free to nearly a write each",
            (one, value) => one with { PerBatchOperationMs = value }),
        OfLatency("loadFactor", one => one.LoadFactor, 0, 1, "none to twice as long at full load",
            (one, value) => one with { LoadFactor = value }, LatencyProfile.MostLoadFactor),
        OfLatency("tailShare", one => one.TailShare, 0, 0.02, "none to one in fifty", (one, value) => one with { TailShare = value }, 1),
        OfLatency("tailFactor", one => one.TailFactor, 2, 20, "a retry within the service to a change of the primary replica",
            (one, value) => one with { TailFactor = value }, LatencyProfile.MostTailFactor),
        OfThrottling("retryAfterMaxMs", one => one.RetryAfterMaxMs, 100, 2_000, "the documentation's 100 ms to two budgets",
            (one, value) => one with { RetryAfterMaxMs = Math.Max(one.RetryAfterMinMs, (int)Math.Round(value)) },
            ThrottlingSpec.MostRetryAfterMs),
        OfThrottling("retryAfterSpread", one => one.RetryAfterSpread, 0, 1, "all its bounds allow",
            (one, value) => one with { RetryAfterSpread = value }, 1),
        OfCharges("perIndexedTerm", one => one.IndexedTerm, 0.1, 0.4, "half to twice the documented 0.2 RU",
            (one, value) => one with { PerIndexedTerm = value }),
        OfCharges("perQueryPage", one => one.Query.Page, 1, 4, "a point read to nearly twice the figure fitted to published queries",
            (one, value) => one with { PerQueryPage = value }),
        new("physicalPartitions", 1, FewestPartitions, 3, "10,000 RU/s each to a container that once had three times the throughput",
            PartitionsOf, (simulation, value) => simulation with { PhysicalPartitions = (int)Math.Round(value) })
        {
            IsFactor = true, Most = SimulationSpec.MostPhysicalPartitions,
        },
    ];

    /// <summary>The physical partitions of a run at a factor: never so few that each would have more than it can serve.</summary>
    /// <param name="partitions">That it has anyway.</param>
    /// <param name="factor">From the range.</param>
    public static int PartitionsAt(double partitions, double factor)
    {
        // What rounding leaves of a product such as 5 x 0.6 is no partition.
        var fewest = Math.Ceiling((partitions * FewestPartitions) - 1e-6);
        var most = Math.Max(partitions, SimulationSpec.MostPartitionsUnasked);
        return (int)Math.Clamp(Math.Round(partitions * factor), fewest, most);
    }

    private static double PartitionsOf(RunSpec run) => (run.Simulation ?? new SimulationSpec()).PartitionsFor(run.Container);

    private static PhysicsParameter OfLatency(
        string name, Func<LatencyProfile, double> read, double low, double high, string source,
        Func<LatencyProfile, double, LatencyProfile> apply, double most = LatencyProfile.MostMs) =>
        new($"latency.{name}", read(SameRegion), low, high, source, run => read(run.Simulation?.Latency ?? SameRegion),
            (simulation, value) => simulation with { Latency = apply((simulation.Latency ?? SameRegion) with { Name = null }, value) })
        {
            Most = most,
        };

    private static PhysicsParameter OfThrottling(
        string name, Func<ThrottlingSpec, double> read, double low, double high, string source,
        Func<ThrottlingSpec, double, ThrottlingSpec> apply, double most) =>
        new($"throttling.{name}", read(Throttled), low, high, source, run => read(run.Simulation?.Throttling ?? Throttled),
            (simulation, value) => simulation with { Throttling = apply(simulation.Throttling ?? Throttled, value) })
        {
            Most = most,
        };

    private static PhysicsParameter OfCharges(
        string name, Func<ChargeModel, double> read, double low, double high, string source, Func<ChargeSpec, double, ChargeSpec> apply) =>
        new($"charges.{name}", read(ChargeModel.Documented), low, high, source,
            run => read(ChargeSpec.ModelOf(run.Simulation?.Charges)),
            (simulation, value) => simulation with { Charges = apply(simulation.Charges ?? new ChargeSpec(), value) })
        {
            Most = ChargeSpec.MostRequestUnits,
        };
}
