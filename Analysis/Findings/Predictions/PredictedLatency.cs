namespace ScaleOut.Analysis.Findings.Predictions;

/// <summary>
/// Predicts the latency of an operation on the simulated account from its parameters alone. The latency consists of the round trip, the
/// gateway's hop and a random service time, see <see cref="LatencyProfile"/>. The partitions are assumed to be idle.
/// </summary>
internal static class PredictedLatency
{
    /// <summary>Number of points of the distribution from which the mean of measured quantiles is calculated.</summary>
    private const int MeanPoints = 1_000;

    /// <summary>Number of points of the distribution from which the mean of the slowest of several requests is calculated.</summary>
    private const int SlowestPoints = 200;

    /// <summary>The latency parameters of a run on the simulated account.</summary>
    public static LatencyProfile ProfileOf(RunSpec spec) => spec.Simulation?.Latency ?? LatencyProfile.SameRegion;

    /// <summary>
    /// Mean latency of an operation, ms. A replace makes two trips, and an action those of its steps. A query that asks the partitions one
    /// after the other makes a trip to each of them. A query that asks several at a time waits for the slowest of them.
    /// </summary>
    public static double MeanMs(RunSpec spec, ClientSettings settings)
    {
        var (profile, write) = (ProfileOf(spec), RunEstimate.IsWrite(spec));
        var (partitions, atOnce) = PartitionsOf(spec);
        var factor = atOnce > 1 ? SlowestFactor(profile, write, atOnce) : MeanFactor(profile, write);
        var trip = (profile.NetworkMs(settings.ConnectionMode) * RunEstimate.RequestsPerOperation(spec))
            + (RunEstimate.MedianServiceMs(profile, spec, settings) * factor);
        return Math.Ceiling(partitions / (double)atOnce) * trip;
    }

    /// <summary>A quantile of the latency of an operation that makes one trip, ms.</summary>
    /// <param name="share">Share of operations that take no longer, above 0 and below 1.</param>
    public static double QuantileMs(RunSpec spec, ClientSettings settings, double share)
    {
        var profile = ProfileOf(spec);
        return profile.NetworkMs(settings.ConnectionMode)
            + (RunEstimate.MedianServiceMs(profile, spec, settings) * ServiceTimes.FactorAt(profile, RunEstimate.IsWrite(spec), share));
    }

    /// <summary>The parameters that determine the latency of the first worker's operations, with their values.</summary>
    public static string TextOf(RunSpec spec)
    {
        var profile = ProfileOf(spec);
        var write = RunEstimate.IsWrite(spec);
        var hop = spec.SettingsOf(0).ConnectionMode == ConnectionMode.Gateway
            ? $"gatewayHopMs = {profile.GatewayHopMs}, "
            : "";
        var service = profile.QuantilesOf(write) is null
            ? $"{(write ? "writeMedianMs" : "readMedianMs")} = "
                + $"{(write ? profile.WriteMedianMs : profile.ReadMedianMs)} and the spread of service times"
            : $"the measured {(write ? "writeQuantiles" : "readQuantiles")}";
        var tail = profile.TailShare > 0
            ? $" with tailShare = {profile.TailShare} and tailFactor = {profile.TailFactor}"
            : "";
        return $"roundTripMs = {profile.RoundTripMs}, {hop}{service}{tail}";
    }

    private static double MeanFactor(LatencyProfile profile, bool write)
    {
        var mean = profile.QuantilesOf(write) is null
            ? Math.Exp(profile.LogStandardDeviation * profile.LogStandardDeviation / 2)
            : Enumerable.Range(0, MeanPoints).Average(
                point => ServiceTimes.PlainFactorAt(profile, write, (point + 0.5) / MeanPoints));
        return mean * (1 + (profile.TailShare * (profile.TailFactor - 1)));
    }

    /// <summary>
    /// Mean factor of the slowest of several requests. Its quantile at u is a single request's quantile at the n-th root of u, for n
    /// requests.
    /// </summary>
    private static double SlowestFactor(LatencyProfile profile, bool write, int requests) => Enumerable.Range(0, SlowestPoints).Average(
        point => ServiceTimes.FactorAt(profile, write, Math.Pow((point + 0.5) / SlowestPoints, 1.0 / requests)));

    /// <summary>Number of physical partitions that an operation asks, and how many of them at a time.</summary>
    private static (int Partitions, int AtOnce) PartitionsOf(RunSpec spec)
    {
        if (spec.Workload is not { Kind: WorkloadKind.Query, Query: { PartitionKey: null } query })
            return (1, 1);
        var partitions = (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container);
        return (partitions, query.MaxConcurrency is < 0 ? partitions : Math.Clamp(query.MaxConcurrency ?? 1, 1, partitions));
    }
}
