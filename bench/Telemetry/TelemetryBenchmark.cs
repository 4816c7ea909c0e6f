using ScaleOut.Bench.Pairing;
using ScaleOut.Progress;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Bench.Telemetry;

/// <summary>
/// Compares the CPU per insert of a leg that reports to Application Insights with that of a leg that does not. Both take turns in one
/// process.
/// </summary>
public static class TelemetryBenchmark
{
    private const double Limit = 1.01;

    public static async Task RunAsync(BenchSettings settings)
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.None);
        using var ingestion = await IngestionServer.StartAsync();
        var connection = account.Ready.Connection;
        var reported = await AccountServer.CreateContainerAsync(connection, "reported");
        var untold = await AccountServer.CreateContainerAsync(connection, "untold");

        await using var telemetry = new ApplicationInsightsTelemetry(
            $"InstrumentationKey={Guid.NewGuid()};IngestionEndpoint={ingestion.Ready}", connection.Endpoint);
        await using var reporting = new LegBench(connection, reported, telemetry);
        await using var silent = new LegBench(connection, untold);
        var leg = new LegSettings(settings.Mode, settings.Bulk ? WorkloadKind.Bulk : WorkloadKind.Insert, settings.Concurrency);
        Task<double> CpuOfAsync(LegBench legs) => legs.CpuOfAsync(leg, settings.Documents);

        Console.WriteLine($"telemetry: {settings.Mode}, {settings.Concurrency} in flight{(settings.Bulk ? ", bulk" : "")}, "
            + $"{settings.Documents:N0} documents a measurement");
        await PairedRatio.WarmUpAsync(() => CpuOfAsync(reporting), () => CpuOfAsync(silent));

        var minPerInsert = double.PositiveInfinity;
        var ratio = await PairedRatio.MeasureAsync(
            settings.Pairs,
            () => CpuOfAsync(reporting),
            () => CpuOfAsync(silent),
            (with, without) =>
            {
                minPerInsert = Math.Min(minPerInsert, without / settings.Documents);
                Console.WriteLine(string.Create(
                    CultureInfo.InvariantCulture,
                    $"  with {with / settings.Documents * 1e6:0.0} us, without {without / settings.Documents * 1e6:0.0} us of CPU per "
                        + $"insert; ratio {with / without:0.000}"));
            });

        var perOperation = await TelemetryAlone.PerOperationAsync(telemetry);
        var perInterval = await TelemetryAlone.PerIntervalAsync(telemetry);
        // The share for a worker that keeps one core busy. On a fuller machine the share is smaller.
        var share = (perOperation / minPerInsert) + (perInterval / ProgressInterval.For(workers: 1).TotalSeconds);

        using var http = new HttpClient { BaseAddress = ingestion.Ready };
        Console.WriteLine($"records that arrived: {await http.GetStringAsync(new Uri("/count", UriKind.Relative))}");
        History.Conclude($"worker CPU per insert, with / without telemetry: {ratio.Judge(Limit)}");
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"telemetry alone: {perOperation * 1e9:0} ns an operation, {perInterval * 1e3:0.0} ms an interval; "
                + $"{share:P2} of the CPU of a worker on one core; at most 1%: {(share <= Limit - 1 ? "holds" : "DOES NOT HOLD")}"));
    }
}
