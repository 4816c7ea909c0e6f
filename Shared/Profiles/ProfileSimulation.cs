namespace ScaleOut.Profiles;

/// <summary>Makes the settings of a simulated account from a profile. Figures that were not measured keep their defaults.</summary>
public static class ProfileSimulation
{
    /// <summary>Minimum number of quantiles to use them in place of a log-normal distribution.</summary>
    private const int MinQuantiles = 5;

    /// <summary>Decimals of figures in the spec.</summary>
    private const int Decimals = 4;

    private const string BurstField = "burst";

    private static readonly string[] Fields =
        ["physicalPartitions", "latency", "throttling", "charges", "consistency", BurstField, "profile"];

    /// <summary>The profile as the <c>simulation</c> of a spec.</summary>
    public static SimulationSpec From(AccountProfile profile) => new()
    {
        PhysicalPartitions = PartitionsOf(profile.Layout),
        Latency = LatencyOf(profile.Latency),
        Throttling = ThrottlingOf(profile.Throttling),
        Charges = ChargesOf(profile.Charges),
        Consistency = Enum.TryParse<ConsistencyLevel>(profile.Consistency, out var level) ? level : null,
        Burst = profile.Throttling.BurstRequestUnits is { Low: > 0 },
        Profile = new ProfileReference
        {
            Name = profile.Name, MeasuredAt = ProfileReference.TextOf(profile.MeasuredAt), Account = profile.Account,
            Region = profile.Region,
        },
    };

    /// <summary>
    /// Writes the settings over those of a spec's JSON. Settings without a measured figure are not changed. If <c>simulation</c> is not an
    /// object, it is not changed either, and the reader of the spec reports the error.
    /// </summary>
    public static void Apply(JsonObject spec, AccountProfile profile)
    {
        var physics = JsonSerializer.SerializeToNode(From(profile), ScaleOutJson.Compact)!.AsObject();
        foreach (var name in Fields)
        {
            if (physics[name] is { } value && (name != BurstField || profile.Throttling.BurstRequestUnits is not null))
                SpecEdit.Set(spec, $"simulation.{name}", value.DeepClone());
        }

        if (KeepsToLaw(profile.Charges))
            (spec["simulation"] as JsonObject)?.Remove("charges");
    }

    /// <summary>
    /// The number of partitions if it is the same at all throughputs and not the documented one; null otherwise.
    /// </summary>
    private static int? PartitionsOf(IReadOnlyList<LayoutFigure> layout) =>
        layout.Count > 1
        && layout.Any(one => one.Partitions != SimulationSpec.DefaultPartitionsFor(one.Throughput))
        && layout.All(one => one.Partitions == layout[0].Partitions)
            ? layout[0].Partitions
            : null;

    private static LatencyProfile? LatencyOf(LatencyFigures latency)
    {
        if (latency is not { RoundTripMs: { } roundTrip, Write: { } write, Read: { } read })
            return null;
        var defaults = new LatencyProfile();
        var (writes, reads) = (QuantilesOf(write), QuantilesOf(read));
        return new LatencyProfile
        {
            RoundTripMs = Ms(roundTrip),
            GatewayHopMs = latency.GatewayHopMs is { } hop ? Ms(hop) : 0,
            WriteMedianMs = Ms(write.MedianMs),
            ReadMedianMs = Ms(read.MedianMs),
            PerKilobyteMs = Within(latency.PerKilobyteMs, 0, LatencyProfile.MaxMs, defaults.PerKilobyteMs),
            PerBatchOperationMs = Within(latency.PerBatchOperationMs, 0, LatencyProfile.MaxMs, defaults.PerBatchOperationMs),
            WriteQuantiles = writes,
            ReadQuantiles = reads,
        };
    }

    private static double Ms(MeasuredFigure figure) => Within(figure, 0, LatencyProfile.MaxMs, 0);

    private static double Within(MeasuredFigure? figure, double low, double high, double otherwise) =>
        figure is null ? otherwise : Math.Round(Math.Clamp(figure.Value, low, high), Decimals);

    private static List<LatencyQuantile>? QuantilesOf(ServiceFigures service)
    {
        List<LatencyQuantile> quantiles = [];
        foreach (var (probability, ms) in service.Quantiles)
        {
            // Quantiles of a sample ascend. Rounding or clamping must not change that.
            var value = Math.Max(Within(ms, 0, LatencyProfile.MaxMs, 0), quantiles.Count > 0 ? quantiles[^1].Ms : 0);
            if (value > 0)
                quantiles.Add(new LatencyQuantile(probability, value));
        }

        return quantiles.Count >= MinQuantiles ? quantiles : null;
    }

    private static ThrottlingSpec? ThrottlingOf(ThrottlingFigures throttling) =>
        throttling is { RetryAfterMinMs: { } min, RetryAfterMaxMs: { } max }
            ? new ThrottlingSpec { RetryAfterMinMs = WholeMs(min), RetryAfterMaxMs = Math.Max(WholeMs(min), WholeMs(max)) }
            : null;

    private static int WholeMs(MeasuredFigure figure) =>
        (int)Math.Clamp(Math.Round(figure.Value), 1, ThrottlingSpec.MaxRetryAfterMs);

    /// <summary>One charge alone may be the law's by chance.</summary>
    private static bool KeepsToLaw(ChargeFigures charges) => charges.Law is { IsKept: true, Charges: > 1 };

    /// <summary>Null for an account that keeps to the law of the charges: its rounded charges would only be less exact.</summary>
    private static ChargeSpec? ChargesOf(ChargeFigures charges) => KeepsToLaw(charges) ? null : new()
    {
        ReadPoints = PointsOf(charges.Reads),
        WritePoints = PointsOf(charges.Writes),
        PerIndexEntry = Units(charges.PerIndexEntry),
    };

    private static double? Units(MeasuredFigure? figure) => figure is null ? null : Math.Round(Math.Max(0, figure.Value), Decimals);

    /// <summary>Larger documents must not cost less. If noise makes a measured charge lower, the smaller size's charge is used.</summary>
    private static List<SizeCharge>? PointsOf(IReadOnlyList<SizeFigure> figures)
    {
        List<SizeCharge> points = [];
        foreach (var (bytes, units) in figures)
            points.Add(new SizeCharge(bytes, Math.Max(Units(units)!.Value, points.Count > 0 ? points[^1].RequestUnits : 0)));
        return points.Count >= ChargeSpec.MinPoints ? points : null;
    }
}
