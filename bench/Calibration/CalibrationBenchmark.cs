using System.Diagnostics;
using System.Globalization;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Charges;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.Bench.Calibration;

/// <summary>Calibrates simulated accounts with physics that are known, and says how far each figure is off.</summary>
public static class CalibrationBenchmark
{
    private const double CheckedProbability = 0.99;

    /// <summary>By which share figures may be off: charges; round trip, hop, medians and retry-after; 99th percentiles.</summary>
    private const double OfCharges = 0.01;
    private const double OfTimes = 0.1;
    private const double OfTailTimes = 0.2;

    /// <summary>
    /// Five accounts, each with other charges, latencies, tails, retry-after and partitions. No tail has about the share of operations that
    /// the 99th percentile leaves out: there one more operation in a thousand makes it a third longer.
    /// </summary>
    private static readonly IReadOnlyList<SimulationSpec> Accounts =
    [
        Account(1, 5, 3, 8, 3, share: 0, factor: 5, 20, 300, scale: 1),
        Account(2, 12, 6, 15, 5, share: 0.02, factor: 4, 40, 600, scale: 1.5),
        Account(1, 25, 4, 6, 4, share: 0, factor: 5, 100, 900, scale: 0.7),
        Account(3, 8, 8, 20, 8, share: 0.05, factor: 3, 10, 120, scale: 2.2),
        Account(1, 40, 5, 12, 6, share: 0.03, factor: 8, 60, 450, scale: 0.5),
    ];

    /// <summary>Runs the first of them.</summary>
    /// <param name="accounts">How many, 1 to 5.</param>
    /// <param name="minutes">For each.</param>
    /// <returns>Whether every figure was within its limit, and every calibration within the longest time that one may take.</returns>
    public static async Task<bool> RunAsync(int accounts, double minutes)
    {
        var (outside, slow) = (0, 0);
        foreach (var (number, physics) in Accounts.Take(accounts).Index())
        {
            using var server = await PhysicsServer.StartAsync(physics, seed: number + 1);
            using var reference = await PhysicsServer.StartAsync(
                new SimulationSpec { Latency = new LatencyProfile { RoundTripMs = LatencyEstimator.ReferenceMs } }, seed: 0);
            var calibration = new AccountCalibration(
                server.Ready.Connection, reference.Ready.Connection, new CalibrationPlan(minutes), new CostMeter(double.MaxValue),
                phase => Console.WriteLine($"  {phase}"));
            var started = Stopwatch.GetTimestamp();
            var profile = await calibration.RunAsync(CancellationToken.None);
            var took = Stopwatch.GetElapsedTime(started).TotalMinutes;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"account {number + 1}: took {took:0.0} min"));
            outside += Write(physics, profile);
            slow += took > CalibrationPlan.MostMinutes ? 1 : 0;
        }

        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{outside} figures outside their limits; {slow} calibrations took longer than ")
            + string.Create(CultureInfo.InvariantCulture, $"{CalibrationPlan.MostMinutes} min"));
        return outside + slow == 0;
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

    /// <summary>Prints how far each figure is off.</summary>
    /// <returns>Figures that are farther off than they may be.</returns>
    private static int Write(SimulationSpec physics, AccountProfile profile)
    {
        var (latency, charges, throttling) = (physics.Latency!, ChargeSpec.ModelOf(physics.Charges), physics.Throttling!);
        var measured = profile.Charges;
        IReadOnlyList<CalibratedFigure> figures =
        [
            new("create of 1 KB, RU", charges.Create(1_024, 0), measured.Writes is [var first, ..] ? first.RequestUnits : null, OfCharges),
            new(
                "create of 1 MB, RU", charges.Create(1_048_576, 0), measured.Writes is [.., var last] ? last.RequestUnits : null,
                OfCharges),
            new(
                "read of 64 KB, RU", charges.Read(65_536), measured.Reads.FirstOrDefault(one => one.Bytes == 65_536)?.RequestUnits,
                OfCharges),
            new("RU per index entry", charges.IndexedTerm, measured.PerIndexedTerm, OfCharges),
            new("RU per patched property", charges.PatchedProperty, measured.PerPatchedProperty, OfCharges),
            new("RU per query page", charges.Query.Page, measured.PerQueryPage, OfCharges),
            new("RU per look-up", charges.Query.Lookup, measured.PerIndexLookup, OfCharges),
            new("share of a loaded document", charges.Query.LoadedShare, measured.LoadedShare, OfCharges),
            new("share of a returned document", charges.Query.ReturnedShare, measured.ReturnedShare, OfCharges),
            new("round trip, ms", latency.RoundTripMs, profile.Latency.RoundTripMs, OfTimes),
            new("gateway's hop, ms", latency.GatewayHopMs, profile.Latency.GatewayHopMs, OfTimes),
            .. ServiceFiguresOf("write", latency, write: true, profile.Latency.Write),
            .. ServiceFiguresOf("read", latency, write: false, profile.Latency.Read),
            new("ms per KB", latency.PerKilobyteMs, profile.Latency.PerKilobyteMs, Limit: null),
            new("ms per batch operation", latency.PerBatchOperationMs, profile.Latency.PerBatchOperationMs, Limit: null),
            new("load factor", latency.LoadFactor, profile.Latency.LoadFactor, Limit: null),
            new("retry-after from, ms", throttling.RetryAfterMinMs, profile.Throttling.RetryAfterMinMs, OfTimes),
            new("retry-after to, ms", throttling.RetryAfterMaxMs, profile.Throttling.RetryAfterMaxMs, OfTimes),
        ];
        Console.WriteLine($"| {"figure",-28} | {"truth",8} | {"measured",8} | {"95% interval",20} | off by | within |");
        Console.WriteLine("|---|---:|---:|---:|---:|---|");
        foreach (var figure in figures)
            Console.WriteLine(figure);
        foreach (var note in profile.Notes)
            Console.WriteLine($"note: {note}");
        return figures.Count(figure => figure.IsOutside);
    }

    private static IEnumerable<CalibratedFigure> ServiceFiguresOf(string name, LatencyProfile latency, bool write, ServiceFigures? service)
    {
        double Truth(double probability) => latency.SmallestMedianMs(write) * ServiceTimes.FactorAt(latency, write, probability);
        yield return new($"{name}: median, ms", Truth(0.5), service?.MedianMs, OfTimes);
        yield return new(
            $"{name}: p99, ms", Truth(CheckedProbability),
            service?.Quantiles.FirstOrDefault(one => one.Probability == CheckedProbability)?.Ms, OfTailTimes);
    }

    /// <summary>A figure as it is and as it was measured.</summary>
    /// <param name="Name">With its unit.</param>
    /// <param name="Truth">Above 0.</param>
    /// <param name="Measured">Null where it is missing.</param>
    /// <param name="Limit">Share of the truth by which it may be off; null where nothing is asked of it.</param>
    private sealed record CalibratedFigure(string Name, double Truth, MeasuredFigure? Measured, double? Limit)
    {
        private double? OffBy => Measured is null ? null : Math.Abs((Measured.Value / Truth) - 1);

        public bool IsOutside => Limit is { } limit && !(OffBy <= limit);

        public override string ToString()
        {
            var within = Limit is { } limit ? $"{100 * limit:0}%: {(IsOutside ? "NO" : "yes")}" : "";
            return string.Create(CultureInfo.InvariantCulture, $"| {Name,-28} | {Truth,8:0.###} ") + (Measured is not { } found
                ? $"| missing | | | {within} |"
                : string.Create(CultureInfo.InvariantCulture, $"| {found.Value,8:0.###} | {found.Low,8:0.###} to {found.High,8:0.###} ")
                    + string.Create(CultureInfo.InvariantCulture, $"| {100 * OffBy,5:0.0}% | {within} |"));
        }
    }
}
