using MathNet.Numerics.Distributions;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Calibration;

/// <summary>
/// Latencies of known physics: drawn by the simulated account's own latency model, with some time of the client on top of each.
/// </summary>
internal sealed class KnownLatency
{
    private const double ClientDirectMs = 0.3;
    private const double ClientGatewayMs = 0.8;
    private const double ClientSpreadMs = 0.02;
    private const double ClientDelays = 0.01;
    private const double ClientDelayMs = 0.5;
    private const double ClientMsPerKilobyte = 0.02;

    private readonly LatencyModel _model;
    private readonly SeededNoise _client;

    public KnownLatency(int seed)
    {
        var random = new Random(seed);
        Profile = new LatencyProfile
        {
            RoundTripMs = Between(random, 0.5, 30),
            GatewayHopMs = Between(random, 0.5, 8),
            WriteMedianMs = Between(random, 2, 10),
            ReadMedianMs = Between(random, 1, 4),
            LogStandardDeviation = Between(random, 0.2, 0.45),
            PerKilobyteMs = Between(random, 0.005, 0.1),
            PerBatchOperationMs = Between(random, 0.1, 2),
            LoadFactor = Between(random, 0.05, 1),
            TailShare = seed % 2 == 0 ? 0 : Between(random, 0.01, 0.05),
            TailFactor = Between(random, 3, 8),
        };
        _model = new LatencyModel(Profile, new SeededNoise((ulong)seed));
        _client = new SeededNoise((ulong)seed + 2_000);
    }

    public LatencyProfile Profile { get; }

    public static double Between(Random random, double low, double high) => low + ((high - low) * random.NextDouble());

    /// <summary>As many of each kind as a calibration of a quarter of an hour has, in thousands less of the fast ones.</summary>
    public IReadOnlyList<LatencySample> Samples()
    {
        List<LatencySample> samples = [];
        foreach (var kind in Enum.GetValues<LatencyKind>())
        {
            samples.Add(Draw(kind, ConnectionMode.Direct, 1_000, 1_000, throttled: true));
            samples.Add(Draw(kind, ConnectionMode.Gateway, 1_000, 1_000, throttled: true));
            samples.Add(Draw(kind, ConnectionMode.Gateway, 900, 900, utilization: 0.1));
            foreach (var (utilization, count) in ((double, int)[])[(0.1, 1_500), (0.5, 5_000), (0.9, 9_000)])
                samples.Add(Draw(kind, ConnectionMode.Direct, count, 1_500, utilization: utilization));
            samples.Add(Draw(kind, ConnectionMode.Direct, 400, 400, kilobytes: 64, utilization: 0.4));
            samples.Add(Draw(kind, ConnectionMode.Direct, 90, 90, kilobytes: 256, utilization: 0.4));
        }

        samples.Add(Draw(LatencyKind.Write, ConnectionMode.Direct, 500, 500, operations: 10, kilobytes: 10, utilization: 0.4));
        samples.Add(Draw(LatencyKind.Write, ConnectionMode.Direct, 60, 60, operations: 100, kilobytes: 100, utilization: 0.4));
        return samples;
    }

    /// <summary>The quantile of a service time on an idle partition: of two log-normal distributions, one of them the tail.</summary>
    public double Quantile(LatencyKind kind, double probability)
    {
        var median = kind == LatencyKind.Write ? Profile.WriteMedianMs : Profile.ReadMedianMs;
        var (low, high) = (median / 100, median * 1_000);
        for (var i = 0; i < 100; i++)
        {
            var middle = Math.Sqrt(low * high);
            var log = Math.Log(middle / median);
            var below = ((1 - Profile.TailShare) * Normal.CDF(0, Profile.LogStandardDeviation, log))
                + (Profile.TailShare * Normal.CDF(0, Profile.LogStandardDeviation, log - Math.Log(Profile.TailFactor)));
            (low, high) = below < probability ? (middle, high) : (low, middle);
        }

        return low;
    }

    private LatencySample Draw(
        LatencyKind kind, ConnectionMode mode, int count, int referenceCount, int operations = 1, double kilobytes = 1,
        double utilization = 0, bool throttled = false)
    {
        var demand = new ServiceDemand(
            kind == LatencyKind.Write, throttled ? 0 : operations, (long)(kilobytes * 1_024), utilization);
        return new LatencySample
        {
            Kind = kind, Mode = mode, Operations = operations, Kilobytes = kilobytes, Utilization = utilization, Throttled = throttled,
            Ms = [.. Enumerable.Range(0, count).Select(_ => _model.NextMs(demand, mode) + NextOwnMs(mode, kilobytes))],
            ReferenceMs = [.. Enumerable.Range(0, referenceCount).Select(_ => LatencyEstimator.ReferenceMs + NextOwnMs(mode, kilobytes))],
        };
    }

    /// <summary>A time of its own for each call, and now and then a much longer one, as a machine with other work has.</summary>
    private double NextOwnMs(ConnectionMode mode, double kilobytes)
    {
        var typical = (mode == ConnectionMode.Gateway ? ClientGatewayMs : ClientDirectMs) + (ClientMsPerKilobyte * (kilobytes - 1));
        var delay = _client.NextUniform() < ClientDelays ? ClientDelayMs : ClientSpreadMs;
        return typical - (delay * Math.Log(1 - _client.NextUniform()));
    }
}

/// <summary>Charges of known physics, by a charge model with random tables.</summary>
internal sealed class KnownCharges
{
    private const int DocumentBytes = 1_024;
    private const int ReturnedBytes = 1_200;

    public KnownCharges(int seed)
    {
        var random = new Random(seed);
        var (reads, writes) = (KnownLatency.Between(random, 0.5, 3), KnownLatency.Between(random, 0.5, 3));
        Model = new ChargeModel(
            [.. ChargeModel.Documented.ReadPoints.Select(point => point with { RequestUnits = point.RequestUnits * reads })],
            [.. ChargeModel.Documented.WritePoints.Select(point => point with { RequestUnits = point.RequestUnits * writes })],
            KnownLatency.Between(random, 0.05, 0.6), KnownLatency.Between(random, 0.1, 1.5),
            new QueryCharges
            {
                Page = KnownLatency.Between(random, 1, 4), Lookup = KnownLatency.Between(random, 0.1, 0.6),
                LoadedShare = KnownLatency.Between(random, 0.02, 0.5), ReturnedShare = KnownLatency.Between(random, 0.05, 0.8),
            });
    }

    public ChargeModel Model { get; }

    public IReadOnlyList<ChargeObservation> Observations()
    {
        List<ChargeObservation> all = [];
        foreach (var bytes in Model.ReadPoints.Select(point => point.Bytes))
        {
            all.Add(One(ChargedKind.Read, bytes, Model.Read(bytes)));
            all.Add(One(ChargedKind.Create, bytes, Model.Create(bytes, 0)));
        }

        foreach (var terms in (int[])[1, 5, 10, 20, 50])
            all.Add(One(ChargedKind.Create, DocumentBytes, Model.Create(DocumentBytes, terms)) with { IndexEntries = terms });
        foreach (var operations in (int[])[1, 2, 5, 10])
            all.Add(Patch(operations));
        foreach (var lookups in (int[])[0, 1, 2])
        {
            foreach (var (loaded, returned) in ((int, int)[])[(0, 0), (1, 1), (20, 20), (100, 100), (100, 0), (50, 10)])
                all.Add(Query(lookups, loaded, returned));
        }

        return all;
    }

    private static ChargeObservation One(ChargedKind kind, long bytes, double charge) =>
        new() { Kind = kind, Bytes = bytes, RequestUnits = charge };

    private ChargeObservation Patch(int operations) =>
        One(ChargedKind.Patch, DocumentBytes, Model.Patch(DocumentBytes, DocumentBytes, 2 * operations, operations)) with
        {
            Operations = operations, IndexEntries = 2 * operations,
        };

    private ChargeObservation Query(int lookups, int loaded, int returned) => new()
    {
        Kind = ChargedKind.Query, Bytes = DocumentBytes, ReturnedBytes = ReturnedBytes, Lookups = lookups, Loaded = loaded,
        Returned = returned,
        RequestUnits = ChargeModel.Round(
            Model.QueryPage(lookups) + (loaded * Model.QueryLoaded(DocumentBytes)) + (returned * Model.QueryReturned(ReturnedBytes))),
    };
}

/// <summary>Too much load on one partition, admitted and rejected by the simulated account's own budget.</summary>
internal sealed class KnownThrottling
{
    public const int IdleSeconds = 20;

    private const double Charge = 9.52;
    private const double MeanGapMs = 1.5;

    private readonly int _seed;

    public KnownThrottling(int seed)
    {
        _seed = seed;
        var random = new Random(seed);
        PerSecond = KnownLatency.Between(random, 400, 1_500);
        var min = random.Next(2, 60);
        Throttling = new ThrottlingSpec { RetryAfterMinMs = min, RetryAfterMaxMs = min + random.Next(50, 1_200) };
        Burst = seed % 2 == 1;
    }

    public double PerSecond { get; }

    public ThrottlingSpec Throttling { get; }

    public bool Burst { get; }

    /// <summary>Load at random times for some seconds.</summary>
    /// <param name="seconds">How long.</param>
    /// <param name="idleSeconds">Time without load before.</param>
    /// <param name="burst">Whether unused units are banked.</param>
    public (IReadOnlyList<AdmittedOperation> Admitted, IReadOnlyList<double> RetryAfterMs) Load(int seconds, int idleSeconds, bool burst)
    {
        var random = new Random(_seed + seconds);
        var created = DateTime.UnixEpoch.Ticks + (1_000 * TimeSpan.TicksPerSecond);
        var budget = new RequestUnitBudget(PerSecond, burst, created, new RetryAfter(Throttling, new SeededNoise((ulong)_seed)));
        List<AdmittedOperation> admitted = [];
        List<double> retryAfter = [];
        var at = idleSeconds * 1_000.0;
        for (var end = at + (seconds * 1_000.0); at < end; at += MeanGapMs * -Math.Log(1 - random.NextDouble()))
        {
            if (budget.TryAdmit(created + (long)(at * TimeSpan.TicksPerMillisecond), out var milliseconds))
            {
                budget.Charge(ScaleOut.Simulator.Engine.Operations.RequestUnits.From(Charge));
                admitted.Add(new AdmittedOperation(1_000 + (at / 1_000), Charge));
            }
            else
            {
                retryAfter.Add(milliseconds);
            }
        }

        return (admitted, retryAfter);
    }
}
