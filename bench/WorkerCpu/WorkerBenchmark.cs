using ScaleOut.Bench.Pairing;

namespace ScaleOut.Bench.WorkerCpu;

/// <summary>
/// Compares the CPU per insert of a leg with that of a bare SDK loop with the same client settings. Both take turns in one process.
/// </summary>
public static class WorkerBenchmark
{
    private const double Limit = 1.02;

    /// <summary>In bulk an insert takes an eighth of the CPU, so that the same counting weighs more.</summary>
    private const double LimitInBulk = 1.08;

    public static async Task RunAsync(BenchSettings settings)
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.None);
        var connection = account.Ready.Connection;
        var target = await AccountServer.CreateContainerAsync(connection, "worker-bench");

        var client = new ClientSettings { ConnectionMode = settings.Mode, Concurrency = settings.Concurrency };
        using var bare = CosmosClientFactory.Create(connection, client, settings.Bulk);
        await using var legs = new LegBench(connection, target);
        var container = bare.GetContainer(target.Database, target.Name);
        var run = 0;

        var leg = new LegSettings(settings.Mode, settings.Bulk ? WorkloadKind.Bulk : WorkloadKind.Insert, settings.Concurrency);
        Task<double> LegAsync() => legs.CpuOfAsync(leg, settings.Documents);
        Task<double> LoopAsync() =>
            ProcessCpu.OfAsync(() => BareLoop.RunAsync(container, $"bare-{++run}", settings.Documents, settings.Concurrency));

        Console.WriteLine($"worker: {settings.Mode}, {settings.Concurrency} in flight{(settings.Bulk ? ", bulk" : "")}, "
            + $"{settings.Documents:N0} documents a measurement");
        await PairedRatio.WarmUpAsync(LegAsync, LoopAsync);

        var ratio = await PairedRatio.MeasureAsync(
            settings.Pairs,
            LegAsync,
            LoopAsync,
            (mine, loop) => Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"  leg {mine / settings.Documents * 1e6:0.0} us, bare loop {loop / settings.Documents * 1e6:0.0} us of CPU per insert; "
                    + $"ratio {mine / loop:0.000}")));
        History.Conclude($"worker CPU per insert, leg / bare loop: {ratio.Judge(settings.Bulk ? LimitInBulk : Limit)}");
    }
}
