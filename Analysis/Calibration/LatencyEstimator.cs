using ScaleOut.Profiles;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Takes latencies apart into the client's own time, the network's round trip, the gateway's hop and the service's time.
/// </summary>
/// <remarks>
/// A 429 is given before anything is read or written, so what it takes is the way alone: the round trip and the client's own time. That is
/// why the way is measured by 429s, and not by the fastest of the served operations, which have a service time, too. What is left of a
/// served operation's latency without the way is its service time. The client's own time is that of the same calls against an account
/// whose responses take a known time. The way has it in itself, so of service times only its growth with size and batch is taken off.
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
        List<SortedSample> sorted =
            [.. samples.Where(sample => sample.Ms.Count > 0).Select(sample => new SortedSample(sample, [.. sample.Ms.Order()]))];
        var direct = ClientTime(sorted, LatencyKind.Read, ConnectionMode.Direct);
        var gateway = ClientTime(sorted, LatencyKind.Read, ConnectionMode.Gateway);
        var figures = new LatencyFigures
        {
            ClientDirectMs = direct?.ToTime(),
            ClientGatewayMs = gateway?.ToTime(),
            GatewayHopMs = GatewayHop(sorted)?.ToTime(),
        };
        // The clock's grain is all that the reach of a way without any spread has.
        if (sorted.FirstOrDefault(one => one.IsOf(LatencyKind.Throttled, ConnectionMode.Direct))?.Median is not { } way)
            return figures;
        var service = new ServiceEstimator(sorted, way);
        return figures with
        {
            RoundTripMs = direct is { } client ? (way - client).ToTime() : null,
            Write = service.Figures(LatencyKind.Write),
            Read = service.Figures(LatencyKind.Read),
            LoadFactor = service.LoadFactor?.ToFigure(),
            PerKilobyteMs = service.PerKilobyteMs,
            PerBatchOperationMs = service.PerBatchOperationMs,
        };
    }

    private static Uncertain? ClientTime(IEnumerable<SortedSample> samples, LatencyKind kind, ConnectionMode mode) =>
        samples.FirstOrDefault(one => one.IsReferenceOf(kind, mode) && one.IsSmall)?.Median is { } median
            ? median with { Value = median.Value - ReferenceMs }
            : null;

    /// <summary>
    /// The difference of the two modes' medians, each without the client's own time, of each kind of operation under the lowest load of
    /// both.
    /// </summary>
    private static Uncertain? GatewayHop(List<SortedSample> samples)
    {
        List<Uncertain> hops = [];
        foreach (var kind in (LatencyKind[])[LatencyKind.Write, LatencyKind.Read])
        {
            if (Lowest(samples, kind, ConnectionMode.Gateway) is { } through && Lowest(samples, kind, ConnectionMode.Direct) is { } past
                && ClientTime(samples, kind, ConnectionMode.Gateway) is { } gateway
                && ClientTime(samples, kind, ConnectionMode.Direct) is { } direct)
                hops.Add(through - gateway - (past - direct));
        }

        return hops.Count == 0 ? null : Uncertain.Pool(hops);
    }

    private static Uncertain? Lowest(List<SortedSample> samples, LatencyKind kind, ConnectionMode mode) =>
        samples.Where(one => one.IsOf(kind, mode) && one.IsSmall).MinBy(one => one.Sample.Utilization)?.Median;
}

/// <summary>A sample in ascending order.</summary>
internal sealed record SortedSample(LatencySample Sample, IReadOnlyList<double> Ms)
{
    /// <summary>Null where there are too few values for an interval.</summary>
    public Uncertain? Median { get; } = Uncertain.Median(Ms);

    /// <summary>Whether it is of single operations on documents for which size adds nothing.</summary>
    public bool IsSmall => Sample is { Operations: 1, Kilobytes: <= 1 };

    /// <summary>Whether it is of the account that is measured.</summary>
    public bool IsOf(LatencyKind kind, ConnectionMode mode) => Sample.Kind == kind && Sample.Mode == mode && !Sample.IsReference;

    /// <summary>Whether it is of the reference account.</summary>
    public bool IsReferenceOf(LatencyKind kind, ConnectionMode mode) => Sample.Kind == kind && Sample.Mode == mode && Sample.IsReference;
}
