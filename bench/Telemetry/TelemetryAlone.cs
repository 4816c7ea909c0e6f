using ScaleOut.Measurement;
using ScaleOut.PartitionKeys;
using ScaleOut.Slicing;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;
using ScaleOut.Workers.Storage;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Bench.Telemetry;

/// <summary>
/// What telemetry costs without the operations that it reports: too little beside them to be seen in a ratio on a busy machine.
/// </summary>
public static class TelemetryAlone
{
    private const int Operations = 2_000_000;
    private const int Intervals = 300;

    private static readonly AttemptResponse Created = new(AttemptKind.Succeeded, 201, 0, 5.71, default, null);

    /// <summary>
    /// CPU seconds of an operation that is observed, over one that is not: picking, making, packing and sending the sampled ones.
    /// </summary>
    public static async Task<double> PerOperationAsync(IRunTelemetry telemetry)
    {
        var observed = await ProcessCpu.OfAsync(() => CountAsync(telemetry));
        var alone = await ProcessCpu.OfAsync(() => CountAsync(telemetry: null));
        return Math.Max(0, observed - alone) / Operations;
    }

    /// <summary>CPU seconds of an interval's records, sent one by one: one of the worker and one of each of four partitions.</summary>
    public static async Task<double> PerIntervalAsync(IRunTelemetry telemetry) => await ProcessCpu.OfAsync(async () =>
    {
        for (var interval = 0; interval < Intervals; interval++)
        {
            var (scope, meter) = Leg();
            await using var recording = telemetry.Begin(scope);
            for (var partition = 0; partition < 4; partition++)
                Count(meter, LegClock.Now, partition);
        }
    }) / Intervals;

    private static async Task CountAsync(IRunTelemetry? telemetry)
    {
        var (scope, meter) = Leg();
        await using var recording = telemetry?.Begin(scope);
        for (var operation = 0; operation < Operations; operation++)
            Count(meter, LegClock.Now, operation % 4);
    }

    private static void Count(LegMeter meter, long now, int partition)
    {
        meter.HandedOver();
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
                Slice = new Slice(0, Operations),
                Workload = new WorkloadSpec(),
                Document = new DocumentSpec(),
                Client = new ClientSettings { ConnectionMode = ConnectionMode.Direct, Concurrency = 20 },
                Container = new ContainerTarget("bench", "alone", "/PartitionKey"),
                LegDuration = TimeSpan.FromMinutes(5),
                StartTimeout = TimeSpan.FromMinutes(1),
            },
        };
        return (new LegScope { Leg = leg, Clock = clock, Meter = meter, Files = new RunFiles(
            new FolderRunStore(Path.GetTempPath()), "no-such-run") }, meter);
    }
}
