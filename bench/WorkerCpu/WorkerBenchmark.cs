using System.Diagnostics;
using Microsoft.Azure.Cosmos;
using ScaleOut.Bench.Pairing;
using ScaleOut.Bench.Processes;
using ScaleOut.Orchestration;
using ScaleOut.Progress;
using ScaleOut.Slicing;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Bench.WorkerCpu;

/// <summary>CPU per insert of a leg against that of a bare SDK loop with the same client settings, in one process, in turn.</summary>
public static class WorkerBenchmark
{
    private const double Limit = 1.05;

    public static async Task RunAsync(BenchSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        using var account = await AccountServer.StartAsync();
        var connection = account.Greeting.Connection;
        var target = await AccountServer.CreateContainerAsync(connection, "worker-bench");

        var client = new ClientSettings { ConnectionMode = settings.Mode, Concurrency = settings.Concurrency };
        using var bare = CosmosClientFactory.Create(connection, client, settings.Bulk);
        var folder = Directory.CreateTempSubdirectory("scaleout-bench-");
        await using var runner = new LegRunner(new FolderRunStore(folder.FullName), connection, new NoProgress());
        var container = bare.GetContainer(target.Database, target.Name);
        var run = 0;

        Task LegAsync() => RunLegAsync(runner, settings, client, target, $"leg-{++run}");
        Task LoopAsync() => BareLoop.RunAsync(container, $"bare-{++run}", settings.Documents, settings.Concurrency);

        Console.WriteLine($"worker: {settings.Mode}, {settings.Concurrency} in flight{(settings.Bulk ? ", bulk" : "")}, {settings.Documents:N0} documents a measurement");
        for (var warm = 0; warm < 3; warm++)
            (_, _) = (await CpuAsync(LegAsync), await CpuAsync(LoopAsync));

        var ratio = await PairedRatio.MeasureAsync(
            settings.Pairs,
            async () => await CpuAsync(LegAsync),
            async () => await CpuAsync(LoopAsync),
            (leg, loop) => Console.WriteLine(FormattableString.Invariant(
                $"  leg {leg / settings.Documents * 1e6:0.0} us, bare loop {loop / settings.Documents * 1e6:0.0} us of CPU per insert; ratio {leg / loop:0.000}")));
        Console.WriteLine($"worker CPU per insert, leg / bare loop: {ratio.Judge(Limit, atMost: true)}");
        folder.Delete(recursive: true);
    }

    private static async Task<double> CpuAsync(Func<Task> work)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var before = Environment.CpuUsage.TotalTime;
        await work();
        return (Environment.CpuUsage.TotalTime - before).TotalSeconds;
    }

    /// <summary>A leg as a worker runs it, but for the start barrier, which only waits.</summary>
    private static async Task RunLegAsync(LegRunner runner, BenchSettings settings, ClientSettings client, ContainerTarget target, string runId)
    {
        var output = await runner.RunAsync(
            new LegInput
            {
                Leg = 2,
                Next = 0,
                Assignment = new WorkerAssignment
                {
                    RunId = runId,
                    Worker = 0,
                    Workers = 1,
                    Slice = new Slice(0, settings.Documents),
                    Workload = new WorkloadSpec { Kind = settings.Bulk ? WorkloadKind.Bulk : WorkloadKind.Insert },
                    Document = new DocumentSpec(),
                    Client = client,
                    Container = target,
                    LegDuration = TimeSpan.FromMinutes(20),
                    StartTimeout = TimeSpan.FromMinutes(1),
                },
            },
            CancellationToken.None);
        if (output.Inserted != settings.Documents)
            throw new UnreachableException($"The leg inserted {output.Inserted} of {settings.Documents}: {output.Reason}");
    }

    private sealed class NoProgress : IProgressSink
    {
        public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
