using ScaleOut.Profiles;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Takes latencies apart into the client's own time, the network's round trip, the gateway's hop and the service's time.
/// </summary>
/// <remarks>
/// A 429 is given before anything is read or written, so what it takes is the way alone: the round trip and the client's own time. That is
/// why the way is measured by 429s, and not by the fastest of the served operations, which have a service time, too. The client's own time
/// is that of the same calls to an account whose responses take a known time. It depends on what the machine does meanwhile, so each
/// sample has reference calls of its own.
/// </remarks>
public static class LatencyEstimator
{
    /// <summary>What each response of the reference account takes, in ms.</summary>
    public const double ReferenceMs = 2;

    /// <summary>Quantiles of a service time.</summary>
    public static readonly IReadOnlyList<double> Probabilities = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999];

    public static LatencyFigures Estimate(IReadOnlyList<LatencySample> samples)
    {
        ArgumentNullException.ThrowIfNull(samples);
        List<AccountLatency> latencies = [.. samples.Select(AccountLatency.From).OfType<AccountLatency>()];
        var (direct, gateway) = (Way(latencies, ConnectionMode.Direct), Way(latencies, ConnectionMode.Gateway));
        var figures = new LatencyFigures
        {
            ClientDirectMs = ClientTime(latencies, ConnectionMode.Direct)?.ToTime(),
            ClientGatewayMs = ClientTime(latencies, ConnectionMode.Gateway)?.ToTime(),
            RoundTripMs = direct?.ToTime(),
            GatewayHopMs = GatewayHop(latencies, direct, gateway)?.ToTime(),
        };
        if (direct is not { } way)
            return figures;
        var served = latencies.Where(one => one.Sample is { Mode: ConnectionMode.Direct, Throttled: false });
        var service = new ServiceEstimator([.. served], way);
        return figures with
        {
            Write = service.Figures(LatencyKind.Write),
            Read = service.Figures(LatencyKind.Read),
            LoadFactor = service.LoadFactor?.ToFigure(),
            PerKilobyteMs = service.PerKilobyteMs,
            PerBatchOperationMs = service.PerBatchOperationMs,
        };
    }

    private static Uncertain? Way(List<AccountLatency> latencies, ConnectionMode mode) =>
        Pool(Throttled(latencies, mode).Select(one => one.Median));

    /// <summary>Beside the 429s, whose calls are the most that are alike in both modes.</summary>
    private static Uncertain? ClientTime(List<AccountLatency> latencies, ConnectionMode mode) =>
        Pool(Throttled(latencies, mode).Select(one => one.Client));

    private static IEnumerable<AccountLatency> Throttled(List<AccountLatency> latencies, ConnectionMode mode) =>
        latencies.Where(one => one.Sample.Throttled && one.Sample.Mode == mode);

    /// <summary>
    /// The difference of both modes' ways, and of their medians of each kind of operation under the lowest load of both.
    /// </summary>
    private static Uncertain? GatewayHop(List<AccountLatency> latencies, Uncertain? direct, Uncertain? gateway)
    {
        List<Uncertain> hops = [];
        if (direct is { } one && gateway is { } other)
            hops.Add(other - one);
        foreach (var kind in Enum.GetValues<LatencyKind>())
        {
            if (Lowest(latencies, kind, ConnectionMode.Gateway) is { } through
                && Lowest(latencies, kind, ConnectionMode.Direct) is { } past)
                hops.Add(through - past);
        }

        return Pool(hops);
    }

    private static Uncertain? Lowest(List<AccountLatency> latencies, LatencyKind kind, ConnectionMode mode) => latencies
        .Where(one => one.IsSmall && !one.Sample.Throttled && one.Sample.Kind == kind && one.Sample.Mode == mode)
        .MinBy(one => one.Sample.Utilization)?.Median;

    private static Uncertain? Pool(IEnumerable<Uncertain> estimates)
    {
        List<Uncertain> all = [.. estimates];
        return all.Count == 0 ? null : Uncertain.Pool(all);
    }
}
