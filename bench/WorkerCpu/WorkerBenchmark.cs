using System.Runtime;
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

    /// <summary>Share of a round's CPU that may be spent on compiling.</summary>
    private const double MaxCompiling = 0.01;

    private const int QuietRounds = 3;
    private const int MaxWarmUps = 100;

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
        await WarmUpAsync(async () => await LegAsync() + await LoopAsync());

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

    /// <summary>
    /// Repeats a round until the runtime compiles hardly anything in three rounds on end. Until then it compiles the SDK's methods a second
    /// time, in the middle of whatever is measured.
    /// </summary>
    private static async Task WarmUpAsync(Func<Task<double>> roundAsync)
    {
        var (rounds, quiet) = (0, 0);
        for (; quiet < QuietRounds && rounds < MaxWarmUps; rounds++)
        {
            var before = JitInfo.GetCompilationTime();
            var cpuSeconds = await roundAsync();
            quiet = (JitInfo.GetCompilationTime() - before).TotalSeconds < MaxCompiling * cpuSeconds ? quiet + 1 : 0;
        }

        Console.WriteLine(quiet == QuietRounds
            ? $"  warmed up in {rounds} rounds"
            : $"  methods were still compiled after {rounds} rounds, so the pairs contain some of that");
    }
}
