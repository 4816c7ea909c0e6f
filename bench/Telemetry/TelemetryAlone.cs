using ScaleOut.PartitionKeys;
using ScaleOut.Slicing;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;
using ScaleOut.Workers.Storage;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Bench.Telemetry;

/// <summary>
/// Measures the CPU of telemetry without the operations that it reports. Beside them it is too small to show in a ratio on a busy machine.
/// </summary>
public static class TelemetryAlone
{
    private const int Operations = 2_000_000;
    private const int Intervals = 300;

    private static readonly AttemptResponse Created = new(AttemptKind.Succeeded, 201, 0, RequestUnits.From(5.71), default, null);

    /// <summary>
    /// CPU seconds of an observed operation minus those of an operation that is not observed. This is the cost of selecting, making,
    /// packing and sending the sampled records.
    /// </summary>
    public static async Task<double> PerOperationAsync(IRunTelemetry telemetry)
    {
        var observed = await ProcessCpu.OfAsync(() => CountAsync(telemetry));
        var alone = await ProcessCpu.OfAsync(() => CountAsync(telemetry: null));
        return Math.Max(0, observed - alone) / Operations;
    }

    /// <summary>
    /// CPU seconds of the records of one interval: one record of the worker and one of each of four partitions, sent one by one.
    /// </summary>
    public static async Task<double> PerIntervalAsync(IRunTelemetry telemetry) => await ProcessCpu.OfAsync(async () =>
    {
        for (var interval = 0; interval < Intervals; interval++)
        {
            var (scope, meter) = Leg();
            await using var recording = telemetry.Begin(scope);
            for (var partition = 0; partition < 4; partition++)
                Count(meter, meter.Clock.Now, partition);
        }
    }) / Intervals;

    private static async Task CountAsync(IRunTelemetry? telemetry)
    {
        var (scope, meter) = Leg();
        await using var recording = telemetry?.Begin(scope);
        for (var operation = 0; operation < Operations; operation++)
            Count(meter, meter.Clock.Now, operation % 4);
    }

    private static void Count(LegMeter meter, long now, int partition)
    {
        meter.BeginOperation();
        meter.Attempt(Created, now - 1_000, now, partition);
        meter.Finished(new Counts { Inserted = 1 }, now, partition);
        meter.Operation(now - 1_000, now);
    }

    private static (LegScope Scope, LegMeter Meter) Leg()
    {
        var clock = new LegClock(TimeProvider.System);
        var meter = new LegMeter(
            clock,
            new PartitionRanges(PartitionKeyVersion.V2, [("", "1F"), ("1F", "2F"), ("2F", "3F"), ("3F", "FF")]),
            TimeSpan.FromMinutes(5));
        var leg = new LegInput
        {
            Leg = 1,
            Next = 0,
            Assignment = new WorkerAssignment
            {
                RunId = "alone",
                Worker = 0,
                Workers = 1,
                Slice = new NumberRange(0, Operations),
                Workload = new WorkloadSpec(),
                Document = new DocumentSpec(),
                Client = new ClientSettings { ConnectionMode = ConnectionMode.Direct, Concurrency = 20 },
                Container = new ContainerTarget("bench", "alone", "/PartitionKey"),
                LegDuration = TimeSpan.FromMinutes(5),
                StartTimeout = TimeSpan.FromMinutes(1),
            },
        };
        return (new LegScope
        {
            Leg = leg, Clock = clock, Meter = meter, Files = new RunFiles(
            new FolderRunStore(Path.GetTempPath()), "no-such-run")
        }, meter);
    }
}
