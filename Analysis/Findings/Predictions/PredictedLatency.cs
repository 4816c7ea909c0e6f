using MathNet.Numerics.Distributions;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Predictions;

/// <summary>
/// Latency of an operation on the simulated account by its parameters alone: round trip, the gateway's hop, and a log-normal service time.
/// </summary>
internal static class PredictedLatency
{
    /// <summary>Standard deviation of the logarithm of a service time, as the simulated account draws it.</summary>
    public const double LogStandardDeviation = 0.35;

    /// <summary>The latency parameters of a run on the simulated account.</summary>
    public static LatencyProfile ProfileOf(RunSpec spec) => spec.Simulation?.Latency ?? LatencyProfile.SameRegion;

    /// <summary>
    /// Mean latency of an operation, ms. A query that asks the partitions one after the other makes a trip to each of them.
    /// </summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="mode">Of the worker.</param>
    public static double MeanMs(RunSpec spec, ConnectionMode mode) =>
        TripsOf(spec) * (WayMs(spec, mode) + (MedianMs(spec) * Math.Exp(LogStandardDeviation * LogStandardDeviation / 2)));

    /// <summary>A quantile of the latency of an operation that makes one trip, ms.</summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="mode">Of the worker.</param>
    /// <param name="share">Share of operations that take no longer, above 0 and below 1.</param>
    public static double QuantileMs(RunSpec spec, ConnectionMode mode, double share) =>
        WayMs(spec, mode) + (MedianMs(spec) * Math.Exp(LogStandardDeviation * Normal.InvCDF(0, 1, share)));

    /// <summary>The parameters that the latency of an operation follows from, with their values.</summary>
    public static string TextOf(RunSpec spec, ConnectionMode mode)
    {
        var profile = ProfileOf(spec);
        var hop = mode == ConnectionMode.Gateway ? FormattableString.Invariant($"gatewayHopMs = {profile.GatewayHopMs}, ") : "";
        var median = spec.Workload.Kind.LeavesCount() ? "readMedianMs" : "writeMedianMs";
        return FormattableString.Invariant(
            $"roundTripMs = {profile.RoundTripMs}, {hop}{median} = {MedianMs(spec)} and the spread of service times");
    }

    private static double WayMs(RunSpec spec, ConnectionMode mode)
    {
        var profile = ProfileOf(spec);
        return profile.RoundTripMs + (mode == ConnectionMode.Gateway ? profile.GatewayHopMs : 0);
    }

    private static double MedianMs(RunSpec spec) =>
        spec.Workload.Kind.LeavesCount() ? ProfileOf(spec).ReadMedianMs : ProfileOf(spec).WriteMedianMs;

    private static int TripsOf(RunSpec spec) =>
        spec.Workload is { Kind: WorkloadKind.Query, Query: { PartitionKey: null, MaxConcurrency: null or 0 or 1 } }
            ? (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container.Throughput)
            : 1;
}
