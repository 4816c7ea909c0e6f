using System.Globalization;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.Bench.Calibration;

/// <summary>Calibrates simulated accounts with physics that are known, and says how far each figure is off.</summary>
public static class CalibrationBenchmark
{
    private const double CheckedProbability = 0.99;

    /// <summary>Five accounts, each with other charges, latencies, tails, retry-after and partitions.</summary>
    private static readonly IReadOnlyList<SimulationSpec> Accounts =
    [
        Account(1, 5, 3, 8, 3, share: 0, factor: 5, 20, 300, scale: 1),
        Account(2, 12, 6, 15, 5, share: 0.02, factor: 4, 40, 600, scale: 1.5),
        Account(1, 25, 4, 6, 4, share: 0, factor: 5, 100, 900, scale: 0.7),
        Account(3, 8, 8, 20, 8, share: 0.05, factor: 3, 10, 120, scale: 2.2),
        Account(1, 40, 5, 12, 6, share: 0.01, factor: 8, 60, 450, scale: 0.5),
    ];

    /// <summary>Runs the first of them.</summary>
    /// <param name="accounts">How many, 1 to 5.</param>
    /// <param name="minutes">For each.</param>
    public static async Task RunAsync(int accounts, double minutes)
    {
        foreach (var physics in Accounts.Take(accounts))
        {
            using var server = await PhysicsServer.StartAsync(physics);
            using var reference = await PhysicsServer.StartAsync(
                new SimulationSpec { Latency = new LatencyProfile { RoundTripMs = LatencyEstimator.ReferenceMs } });
            var calibration = new AccountCalibration(
                server.Ready.Connection, reference.Ready.Connection, new CalibrationPlan(minutes), new CostMeter(double.MaxValue),
                phase => Console.WriteLine($"  {phase}"));
            Write(physics, await calibration.RunAsync(CancellationToken.None));
        }
    }

    private static SimulationSpec Account(
        int partitions, double roundTrip, double hop, double write, double read, double share, double factor, int min, int max,
        double scale) => new()
        {
            PhysicalPartitions = partitions,
            Latency = new LatencyProfile
            {
                RoundTripMs = roundTrip, GatewayHopMs = hop, WriteMedianMs = write, ReadMedianMs = read, TailShare = share,
                TailFactor = factor, PerKilobyteMs = 0.05, PerBatchOperationMs = 0.5 * scale, LoadFactor = 0.3,
            },
            Throttling = new ThrottlingSpec { RetryAfterMinMs = min, RetryAfterMaxMs = max },
            Charges = new ChargeSpec
            {
                ReadPoints = Scaled(ChargeModel.Documented.ReadPoints, scale),
                WritePoints = Scaled(ChargeModel.Documented.WritePoints, scale),
                PerIndexedTerm = Math.Round(0.2 * scale, 3),
                PerPatchedProperty = Math.Round(0.4 * scale, 3),
                PerQueryPage = Math.Round(2.3 * scale, 3),
                PerIndexLookup = Math.Round(0.25 * scale, 3),
                LoadedShare = 0.1,
                ReturnedShare = 0.3,
            },
        };

    private static List<SizeCharge> Scaled(IEnumerable<SizeCharge> points, double scale) =>
        [.. points.Select(point => point with { RequestUnits = Math.Round(point.RequestUnits * scale, 2) })];

    private static void Write(SimulationSpec physics, AccountProfile profile)
    {
        var (latency, charges) = (physics.Latency!, ChargeSpec.ModelOf(physics.Charges));
        Console.WriteLine(
            $"| {"figure",-28} | {"truth",8} | {"measured",8} | {"95% interval",20} | off by |\n|---|---:|---:|---:|---:|");
        Row("create of 1 KB, RU", charges.Create(1_024, 0), profile.Charges.Writes is [var first, ..] ? first.RequestUnits : null);
        Row("create of 1 MB, RU", charges.Create(1_048_576, 0), profile.Charges.Writes is [.., var last] ? last.RequestUnits : null);
        Row("read of 64 KB, RU", charges.Read(65_536), profile.Charges.Reads.FirstOrDefault(one => one.Bytes == 65_536)?.RequestUnits);
        Row("RU per index entry", charges.IndexedTerm, profile.Charges.PerIndexedTerm);
        Row("RU per patched property", charges.PatchedProperty, profile.Charges.PerPatchedProperty);
        Row("RU per query page", charges.Query.Page, profile.Charges.PerQueryPage);
        Row("RU per look-up", charges.Query.Lookup, profile.Charges.PerIndexLookup);
        Row("share of a loaded document", charges.Query.LoadedShare, profile.Charges.LoadedShare);
        Row("share of a returned document", charges.Query.ReturnedShare, profile.Charges.ReturnedShare);
        Row("round trip, ms", latency.RoundTripMs, profile.Latency.RoundTripMs);
        Row("gateway's hop, ms", latency.GatewayHopMs, profile.Latency.GatewayHopMs);
        Rows("write", latency, latency.WriteMedianMs, profile.Latency.Write);
        Rows("read", latency, latency.ReadMedianMs, profile.Latency.Read);
        Row("ms per KB", latency.PerKilobyteMs, profile.Latency.PerKilobyteMs);
        Row("ms per batch operation", latency.PerBatchOperationMs, profile.Latency.PerBatchOperationMs);
        Row("load factor", latency.LoadFactor, profile.Latency.LoadFactor);
        Row("retry-after from, ms", physics.Throttling!.RetryAfterMinMs, profile.Throttling.RetryAfterMinMs);
        Row("retry-after to, ms", physics.Throttling.RetryAfterMaxMs, profile.Throttling.RetryAfterMaxMs);
        foreach (var note in profile.Notes)
            Console.WriteLine($"note: {note}");
    }

    private static void Rows(string name, LatencyProfile latency, double median, ServiceFigures? service)
    {
        Row($"{name}: median, ms", Quantile(latency, median, 0.5), service?.MedianMs);
        Row(
            $"{name}: p99, ms", Quantile(latency, median, CheckedProbability),
            service?.Quantiles.FirstOrDefault(one => one.Probability == CheckedProbability)?.Ms);
    }

    /// <summary>Of a log-normal distribution with a tail.</summary>
    private static double Quantile(LatencyProfile latency, double median, double probability)
    {
        var (low, high) = (median / 100, median * 1_000);
        for (var i = 0; i < 100; i++)
        {
            var middle = Math.Sqrt(low * high);
            var below = ((1 - latency.TailShare) * Below(middle / median))
                + (latency.TailShare * Below(middle / median / latency.TailFactor));
            (low, high) = below < probability ? (middle, high) : (low, middle);
        }

        return low;

        double Below(double factor) => MathNet.Numerics.Distributions.Normal.CDF(0, latency.LogStandardDeviation, Math.Log(factor));
    }

    private static void Row(string name, double truth, MeasuredFigure? figure) => Console.WriteLine(
        figure is null
            ? $"| {name,-28} | {truth,8:0.###} | missing | | |"
            : string.Create(CultureInfo.InvariantCulture, $"| {name,-28} | {truth,8:0.###} | {figure.Value,8:0.###} ")
                + string.Create(CultureInfo.InvariantCulture, $"| {figure.Low,8:0.###} to {figure.High,8:0.###} ")
                + string.Create(CultureInfo.InvariantCulture, $"| {100 * Math.Abs((figure.Value / truth) - 1),5:0.0}% |"));
}
